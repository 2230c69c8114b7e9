/** Giving up deliveries without an attempt, when their endpoint is gone, say. */
import type { DueDelivery } from '@posthorn/contracts/topics'
import { STATE_CODE, statesBefore } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { type TransactionClient, inTransaction } from '../transaction.ts'
import { dueBy } from './sql/by-key.ts'
import { countEnded, MOVED_COLUMNS } from './sql/count-moved.ts'
import { type PartitionBounds, boundsOf, boundsOfKnown } from './sql/partition-bounds.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { TAKE_BEHIND } from './sql/lanes.ts'
import { type LeasedHead, lockHeads, releaseNext } from './lanes.ts'

export interface Cancellation {
  tenantId: string
  deliveryId: string
  /** Where it is known: then the event is looked for in its own day alone. */
  eventId?: string
  reason: string
  /**
   * The lane of a head, and the token of its lease. `whole`: what waits behind it ends as well, for
   * the same reason.
   */
  head?: { endpointId: string; lane: string; token: number; whole: boolean } | null
}

/** @returns the next heads of the lanes whose heads ended, leased to the caller */
export async function cancelDeliveries(
  pool: Pool,
  cancelled: readonly Cancellation[],
): Promise<DueDelivery[]> {
  const others = cancelled.filter((one) => !isHead(one))
  const heads = cancelled.filter(isHead).map((one) => ({ ...one, ...one.head }))
  if (others.length > 0) await withRetries(() => cancel(pool, others))
  if (heads.length === 0) return []
  const released = await withRetries(() =>
    inTransaction(pool, (client) => cancelHeads(client, heads)),
  )
  return released ?? []
}

const CANCELLABLE = statesBefore('cancel').join(', ')

type CancelledHead = Cancellation & LeasedHead & { whole: boolean }

function isHead(
  one: Cancellation,
): one is Cancellation & { head: NonNullable<Cancellation['head']> } {
  return (one.head ?? null) !== null
}

async function cancel(
  client: TransactionClient,
  cancelled: readonly Cancellation[],
): Promise<void> {
  const sorted = [...cancelled].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  const values = [
    sorted.map((one) => one.tenantId),
    sorted.map((one) => one.deliveryId),
    sorted.map((one) => one.reason),
  ]
  const deliveries = boundsOf(sorted.map((one) => one.deliveryId))
  const events = boundsOfKnown(sorted.map((one) => one.eventId))
  await client.query({
    name: `cancel-deliveries ${deliveries.name} ${events.name}`,
    text: cancelText(deliveries, events),
    values,
  })
}

/**
 * Heads whose lease is lost are left out: another dispatcher may be sending them, and the next must
 * not overtake them.
 */
async function cancelHeads(
  client: TransactionClient,
  heads: readonly CancelledHead[],
): Promise<DueDelivery[]> {
  const owned = await lockHeads(client, heads)
  const ours = heads.filter(({ deliveryId }) => owned.has(deliveryId))
  if (ours.length === 0) return []
  await cancel(client, ours)
  const whole = ours.filter((head) => head.whole)
  if (whole.length > 0) {
    await client.query({
      name: 'cancel-behind',
      text: CANCEL_BEHIND,
      values: [
        whole.map(({ tenantId }) => tenantId),
        whole.map(({ endpointId }) => endpointId),
        whole.map(({ lane }) => lane),
        whole.map(({ reason }) => reason),
      ],
    })
  }
  // The rest of a long lane goes on with its next head, which then ends with as many more.
  return await releaseNext(client, ours)
}

const cancelText = (
  deliveries: PartitionBounds,
  events: PartitionBounds,
): string => `WITH moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.dead}, ended_at = now(),
    dead_reason = i.reason
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (tenant_id, id, reason)
  WHERE d.tenant_id = i.tenant_id AND d.id = i.id AND d.state IN (${CANCELLABLE})
    AND ${selectivityHint('i.id')} AND ${deliveries.within('d.id')}
  RETURNING ${MOVED_COLUMNS}
), gone AS (
  DELETE FROM due USING moved m WHERE ${dueBy('m')}
), ${countEnded('moved', events)}
SELECT FROM moved`

const CANCEL_BEHIND = `WITH ${TAKE_BEHIND}, moved AS (
  UPDATE deliveries d SET state_before = d.state, state = ${STATE_CODE.dead}, ended_at = now(),
    dead_reason = g.reason
  FROM gone g
  WHERE d.tenant_id = g.tenant_id AND d.id = g.delivery_id AND d.state IN (${CANCELLABLE})
    AND ${selectivityHint('g.delivery_id')}
  RETURNING ${MOVED_COLUMNS}
), ${countEnded('moved')}
SELECT FROM moved`
