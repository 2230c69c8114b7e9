/**
 * A statement that names a token or an epoch may change only rows that have it. Otherwise the
 * effect of an old copy of an announcement would show only where two copies happen to meet.
 */
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import type { Change, Database } from './model/database.ts'
import type { BacklogRow, DeliveryRow, DueRow, ParkedRow } from './model/rows.ts'

/**
 * The tokens that a statement names. One row may be named twice, under an old token and the present
 * one.
 */
type NamedTokens = (values: readonly unknown[]) => readonly (readonly [string, number])[]

const listed: NamedTokens = ([, ids, tokens]) =>
  (ids as string[]).map((id, index) => [id, (tokens as number[])[index] ?? 0])
const single: NamedTokens = ([, id, token]) => [[id as string, token as number]]

/** The tokens under which each statement acts. */
export const TOKENS_OF: Record<string, NamedTokens> = {
  'renew-leases': listed,
  'begin-tries': listed,
  'release-leases': listed,
  'drop-due': listed,
  'take-backlog': single,
  'postpone-backlog': single,
  'park-deliveries': ([json]) =>
    (JSON.parse(json as string) as { d: string; k: number }[]).map(({ d, k }) => [d, k]),
}

export function checkTokens(
  database: Database,
  name: string,
  values: readonly unknown[],
  changes: readonly Change[],
  violated: (what: string) => void,
): void {
  const tokens = TOKENS_OF[name]?.(values)
  for (const { table, key, before, after } of changes) {
    const own = table === 'due' ? (tokens?.filter(([id]) => id === key) ?? []) : []
    const isOwn = own.some(([, token]) => token === (before as DueRow | undefined)?.dueAt)
    if (own.length > 0 && before !== undefined && !isOwn)
      violated(`${name} changed ${key} under a token that is not its own any more`)
    if (table === 'backlogs' && name === 'finish-backlog') checkBacklogEnd(before as BacklogRow)
    const place = changes.find((one) => one.table === 'due' && one.key === key)
    const due = (place === undefined ? database.tables.due.get(key) : place.after) as
      | DueRow
      | undefined
    const waits =
      table === 'deliveries' && (after as DeliveryRow | undefined)?.state === STATE_CODE.waiting
    if (name === 'record-attempts' && waits && due?.leased === true)
      violated(`${name} left ${key} leased, though it waits for its next attempt`)
  }
  if (name !== 'take-parked') return
  const [, targetIds, epochs] = values as [string[], string[], number[]]
  for (const { table, before } of changes) {
    if (table !== 'parked') continue
    const { targetId } = before as ParkedRow
    const backlog = database.tables.backlogs.get(targetId) as BacklogRow | undefined
    if (backlog?.epoch !== epochs[targetIds.indexOf(targetId)])
      violated(`${name} took from ${targetId} under an old epoch`)
  }

  function checkBacklogEnd({ targetId: id, epoch: now, parks }: BacklogRow): void {
    if (now !== values[2]) violated(`the backlog ${id} was ended under an old epoch`)
    if (parks !== values[3]) violated(`the backlog ${id} was ended though more had been parked`)
  }
}
