/**
 * What has to be done so that an installation is as a file says. Event types, connectors and alert
 * rules are known by their names, endpoints by their ids, else by their URLs.
 */
import { usage } from '../failure.ts'
import { type Change, changesBetween } from './compare.ts'
import { type ConfigDocument, type Fields, type Kind, KINDS, NOUNS } from './document.ts'
import type { Existing, KindOfConfig } from './kinds.ts'

export type PlanStep = { kind: Kind; key: string } & (
  | { action: 'create'; item: Fields }
  | { action: 'update'; item: Fields; existing: Existing; changes: Change[] }
  | { action: 'keep' | 'delete' | 'unmanaged'; existing: Existing; item?: Fields }
)

type Kinds = Readonly<Record<Kind, Pick<KindOfConfig, 'keyOf' | 'expand'>>>

export function makePlan(
  document: ConfigDocument,
  existing: Readonly<Partial<Record<Kind, readonly Existing[]>>>,
  kinds: Kinds,
  doesPrune: boolean,
): PlanStep[] {
  /** The ids that the file has for endpoints, and those that the installation has for them. */
  const ids = new Map<string, string>()
  const steps: PlanStep[] = []
  const others: PlanStep[] = []
  for (const kind of KINDS) {
    const items = document[kind]
    if (items === undefined) continue
    const left = new Set(existing[kind] ?? [])
    for (const [item, found] of matchAll(kind, items, left, kinds[kind])) {
      if (found !== undefined && typeof item['id'] === 'string') ids.set(item['id'], found.id)
      steps.push(stepFor(kind, translated(item, ids), found, kinds[kind]))
    }
    const action = doesPrune ? 'delete' : 'unmanaged'
    for (const one of left) others.unshift({ kind, key: one.key, action, existing: one })
  }
  return [...steps, ...others]
}

/** Those with an id first: what has none may take what is left. */
function matchAll(
  kind: Kind,
  items: readonly Fields[],
  left: Set<Existing>,
  { keyOf }: Pick<KindOfConfig, 'keyOf'>,
): [Fields, Existing | undefined][] {
  const found = new Map<Fields, Existing>()
  const take = (item: Fields, isIt: (one: Existing) => boolean): void => {
    if (found.has(item)) return
    const fitting = [...left].filter(isIt)
    const [first] = fitting
    if (first === undefined) return
    if (fitting.length > 1) {
      const remedy = kind === 'endpoints' ? 'give its id' : 'rename all but one'
      throw usage(`there are ${fitting.length} ${kind} called ${keyOf(item)}: ${remedy}`)
    }
    found.set(item, first)
    left.delete(first)
  }
  for (const item of items) take(item, ({ id }) => id === item['id'])
  for (const item of items) take(item, ({ key }) => key === keyOf(item))
  return items.map((item) => [item, found.get(item)])
}

function translated(item: Fields, ids: ReadonlyMap<string, string>): Fields {
  const { endpointId } = item
  const id = typeof endpointId === 'string' ? ids.get(endpointId) : undefined
  return id === undefined ? item : { ...item, endpointId: id }
}

function stepFor(
  kind: Kind,
  item: Fields,
  existing: Existing | undefined,
  { keyOf, expand }: Pick<KindOfConfig, 'keyOf' | 'expand'>,
): PlanStep {
  const key = keyOf(item)
  if (existing === undefined) return { kind, key, action: 'create', item }
  const changes = changesBetween(existing.fields, expand(item, existing))
  if (changes.length === 0) return { kind, key, action: 'keep', existing, item }
  return { kind, key, action: 'update', item, existing, changes }
}

/** The settings of a connector hold secrets among others. */
const SECRET_FIELDS = ['signingSecret', 'config', 'action']

const SIGNS = { create: '+', update: '~', delete: '-', keep: '=', unmanaged: '?' } as const

/** @param secret fields whose values are not shown */
export function planLines(step: PlanStep, secret: readonly string[] = SECRET_FIELDS): string[] {
  const end = step.action === 'unmanaged' ? '  (not in the file; --prune deletes it)' : ''
  const head = `${SIGNS[step.action]} ${NOUNS[step.kind]} ${step.key}${end}`
  if (step.action !== 'update') return [head]
  return [
    head,
    ...step.changes.map(({ field, from, to }) =>
      secret.includes(field)
        ? `    ${field}: changed`
        : `    ${field}: ${text(from)} -> ${text(to)}`,
    ),
  ]
}

export function planRecord(step: PlanStep, secret: readonly string[] = SECRET_FIELDS) {
  const { kind, key, action } = step
  const changes =
    step.action === 'update'
      ? step.changes.map(({ field, from, to }) =>
          secret.includes(field) ? { field } : { field, from, to },
        )
      : undefined
  return { action, kind, key, ...(changes === undefined ? {} : { changes }) }
}

const MAX_CHARACTERS = 200

function text(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null'
  return json.length > MAX_CHARACTERS ? `${json.slice(0, MAX_CHARACTERS)}…` : json
}
