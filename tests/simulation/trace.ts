/** The trace of a run: its steps and violations as text, the same in each run of a seed. */
import type { Change } from './model/database.ts'
import type { DeliveryRow, DueRow, LaneRow } from './model/rows.ts'
import { EPOCH_MS, type VirtualTime } from './virtual-time.ts'

const MAX_VIOLATIONS = 5

export interface Trace {
  tell(who: string, what: string): void
  violated(what: string): void
  violations: string[]
  lines: string[]
}

export function createTrace(isOn: boolean, time: VirtualTime): Trace {
  const [violations, lines]: [string[], string[]] = [[], []]
  const tell = (who: string, what: string): void => {
    if (isOn) lines.push(`${time.now().toFixed(3).padStart(10)} ${who.padEnd(14)} ${what}`)
  }
  return {
    tell,
    violated(what) {
      tell('WRONG', what)
      if (violations.length < MAX_VIOLATIONS) violations.push(what)
    },
    violations,
    lines,
  }
}

export function shortly({ table, key, before, after }: Change): string {
  const what = before === undefined ? '+' : after === undefined ? '-' : ''
  const { state, dueAt, leased, head } = (after ?? {}) as Partial<DueRow & DeliveryRow & LaneRow>
  const more = [
    state === undefined ? '' : ` state ${state}`,
    typeof dueAt === 'number'
      ? ` at ${(dueAt / 1_000 - EPOCH_MS).toFixed(3)}${leased === true ? ' leased' : ''}`
      : '',
    head === undefined ? '' : ` head ${head}`,
  ].join('')
  return `${what}${table} ${key}${more}`
}

export function textOf(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .filter(
      ([key, value]) => value !== undefined && !['tenantId', 'projectId', 'traceId'].includes(key),
    )
    .map(([key, value]) => `${key}=${Error.isError(value) ? value.message : String(value)}`)
    .join(' ')
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * Writes ids as small numbers in the order of the trace, which is the same in each run of a seed.
 */
export function shorten(lines: readonly string[]): (line: string) => string {
  const names = new Map<string, string>()
  for (const line of lines)
    for (const [id] of line.matchAll(UUID)) if (!names.has(id)) names.set(id, `#${names.size + 1}`)
  return (line) => line.replaceAll(UUID, (id) => names.get(id) ?? id)
}
