/**
 * FIFO lanes. Of a lane's deliveries only its head may go: it waits in `due` or `parked`, as other
 * deliveries do, while those behind it wait in `lane_waiting` by their position. The end of a head
 * is recorded and the next one released in one transaction, so no delivery ever goes out before the
 * end of the one before it is durable.
 *
 * Whoever takes from a lane locks its row first and reads the lane in a later statement, which sees
 * what the lock waited for. Fan-out, which only adds, does so in one statement: the row that it
 * gets back tells whether there was a head.
 *
 * The time after which a delivery expires counts from the moment in which it came to wait here,
 * also while it is the head and parked (`head_since`). So it expires as soon as any other that
 * waits as long (`expire-parked.ts`).
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { type TransactionClient, inTransaction } from '../transaction.ts'
import { dueBy, hasToken } from './sql/by-key.ts'
import { DUE_DELIVERY_COLUMNS, type DueDeliveryRow, rowToDueDelivery } from './sql/due-delivery.ts'
import { laneByKey, sameLane } from './sql/lanes.ts'
import { KIND, LEASE } from './sql/lease.ts'
import { KEEP_PARKED } from './sql/parked.ts'
import { IS_POLLED, VISIBLE_PRIORITY } from './sql/poll-mode.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'

export interface Lane {
  tenantId: string
  endpointId: string
  lane: string
}

/** A head as the owner of its lease knows it. */
export interface LeasedHead extends Lane {
  deliveryId: string
  token: number
}

/** `lease`: to the caller, who takes them on or announces them. `due`: to the sweep, at once. */
type ReleaseTo = 'lease' | 'due'

const { queued, delivering, waiting } = STATE_CODE
const OPEN = `(${queued}, ${delivering}, ${waiting})`

// Sorted, as everywhere, so that two who lock some of the same lanes can't deadlock.
const LANES = `input AS MATERIALIZED (
  SELECT DISTINCT tenant_id, endpoint_id, lane
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (tenant_id, endpoint_id, lane)
  WHERE ${selectivityHint('i.endpoint_id')} ORDER BY 1, 2, 3
), locked AS (
  UPDATE lanes l SET locks = l.locks + 1 FROM input i WHERE ${laneByKey('l', 'i')} RETURNING 1
)`

const LOCK = `WITH ${LANES} SELECT count(*) FROM locked`

// Leases are locked after the lanes, so that whoever waits for a lane delays no renewal of leases.
const LOCK_HEADS = `WITH ${LANES}, owned AS (
  UPDATE due SET leased = true
  FROM (
    SELECT * FROM unnest($1::uuid[], $4::uuid[], $5::float8[]) AS h (tenant_id, id, token)
    WHERE ${selectivityHint('h.id')} ORDER BY id
  ) h
  WHERE ${dueBy('h')} AND ${hasToken('h.token')}
    AND (SELECT count(*) FROM locked) >= 0
  RETURNING due.id
) SELECT id FROM owned`

function laneColumns(lanes: readonly Lane[]): [string[], string[], string[]] {
  return [
    lanes.map(({ tenantId }) => tenantId),
    lanes.map(({ endpointId }) => endpointId),
    lanes.map(({ lane }) => lane),
  ]
}

export async function lockLanes(client: TransactionClient, lanes: readonly Lane[]): Promise<void> {
  await client.query({ name: 'lock-lanes', text: LOCK, values: laneColumns(lanes) })
}

/**
 * Locks the lanes of heads and, until the transaction ends, the heads' leases.
 * @returns the ids of the heads whose leases are still owned: of the others another dispatcher may
 * have an attempt in flight, which must end before that of the lane's next begins
 */
export async function lockHeads(
  client: TransactionClient,
  heads: readonly LeasedHead[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: 'lock-heads',
    text: LOCK_HEADS,
    values: [
      ...laneColumns(heads),
      heads.map(({ deliveryId }) => deliveryId),
      heads.map(({ token }) => token),
    ],
  })
  return new Set(rows.map(({ id }) => id))
}

function isOpen(row: string, column: string): string {
  return `coalesce((SELECT d.state IN ${OPEN} FROM deliveries d
    WHERE d.tenant_id = ${row}.tenant_id AND d.id = ${row}.${column}), false)`
}

// Whether a delivery is open is looked up one by one: joined, the planner might read all partitions
// for it. A delivery that ended while it waited, because its consumer acknowledged it unseen, is
// passed over and its row goes.
const RELEASE = `WITH input AS MATERIALIZED (
  SELECT DISTINCT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])
    AS i (tenant_id, endpoint_id, lane)
  WHERE ${selectivityHint('i.endpoint_id')}
), idle AS MATERIALIZED (
  SELECT l.tenant_id, l.endpoint_id, l.lane FROM input i JOIN lanes l ON ${laneByKey('l', 'i')}
  WHERE NOT ${isOpen('l', 'head')}
), next AS MATERIALIZED (
  SELECT i.*, w.position, w.delivery_id, w.waits_since FROM idle i LEFT JOIN LATERAL (
    SELECT position, delivery_id, waits_since FROM lane_waiting w
    WHERE ${sameLane('w', 'i')} AND ${isOpen('w', 'delivery_id')}
    ORDER BY position LIMIT 1
  ) w ON true
), taken AS (
  DELETE FROM lane_waiting w USING next n
  WHERE ${laneByKey('w', 'n')} AND w.position <= coalesce(n.position, 9223372036854775807)
), led AS (
  UPDATE lanes l SET head = n.delivery_id, head_since = n.waits_since
  FROM next n WHERE ${laneByKey('l', 'n')} AND n.delivery_id IS NOT NULL
), emptied AS (
  DELETE FROM lanes l USING next n WHERE ${laneByKey('l', 'n')} AND n.delivery_id IS NULL
), heads AS MATERIALIZED (
  SELECT ${DUE_DELIVERY_COLUMNS}, d.target_id, n.waits_since FROM next n
  JOIN deliveries d ON d.tenant_id = n.tenant_id AND d.id = n.delivery_id
    AND ${selectivityHint('n.delivery_id')}
  JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
), placed AS MATERIALIZED (
  SELECT m.*, ${IS_POLLED} AS polled FROM heads m
), made_visible AS (
  INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id, parked_at)
  SELECT tenant_id, target_id, ${VISIBLE_PRIORITY}, seq, delivery_id, event_id, waits_since
  FROM placed WHERE polled
  ${KEEP_PARKED}
), waits AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT tenant_id, delivery_id, ${KIND.delivery},
    CASE WHEN $4 THEN now() + ${LEASE} ELSE now() END, $4, target_id
  FROM placed WHERE NOT polled
  ON CONFLICT (tenant_id, id) DO UPDATE SET due_at = excluded.due_at, leased = excluded.leased
  RETURNING id, due_at
)
SELECT p.*, micros(w.due_at) AS token
FROM placed p JOIN waits w ON w.id = p.delivery_id ORDER BY p.seq`

/**
 * Releases the next delivery of each locked lane whose head has ended. It may be called again.
 * @returns the new heads, when they are leased to the caller
 */
export async function releaseNext(
  client: TransactionClient,
  lanes: readonly Lane[],
  to: ReleaseTo = 'lease',
): Promise<DueDelivery[]> {
  if (lanes.length === 0) return []
  const { rows } = await client.query<DueDeliveryRow>({
    name: 'release-next',
    text: RELEASE,
    values: [...laneColumns(lanes), to === 'lease'],
  })
  return to === 'lease' ? rows.map(rowToDueDelivery) : []
}

/**
 * For lanes whose heads a statement without locks has ended. When the process dies before it gets
 * here, `repairLanes` does the same.
 */
export async function releaseEnded(pool: Pool, lanes: readonly Lane[]): Promise<void> {
  if (lanes.length === 0) return
  await withRetries(() =>
    inTransaction(pool, async (client) => {
      await lockLanes(client, lanes)
      return await releaseNext(client, lanes, 'due')
    }),
  )
}

/** Whether the head of a lane, as a row of `deliveries d`, is parked. */
const IS_PARKED = `EXISTS (SELECT FROM parked p
    WHERE p.tenant_id = d.tenant_id AND p.target_id = d.target_id
      AND p.priority IN (d.priority, ${VISIBLE_PRIORITY}) AND p.seq = d.seq
      AND p.delivery_id = d.id)`

const FIND_STUCK = `WITH nameless AS (
  INSERT INTO lanes (tenant_id, endpoint_id, lane, tail)
  SELECT w.tenant_id, w.endpoint_id, w.lane, max(w.position) FROM lane_waiting w
  WHERE NOT EXISTS (SELECT FROM lanes l WHERE ${sameLane('l', 'w')})
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LIMIT $1
  ON CONFLICT DO NOTHING RETURNING tenant_id, endpoint_id, lane
)
SELECT tenant_id AS "tenantId", endpoint_id AS "endpointId", lane FROM nameless
UNION ALL (
  SELECT l.tenant_id, l.endpoint_id, l.lane FROM lanes l
  WHERE NOT EXISTS (SELECT FROM due WHERE due.tenant_id = l.tenant_id AND due.id = l.head)
    AND NOT coalesce((
      SELECT ${IS_PARKED} FROM deliveries d
      WHERE d.tenant_id = l.tenant_id AND d.id = l.head), false)
  LIMIT $1
)`

const RESUME = `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT d.tenant_id, d.id, ${KIND.delivery}, now(), false, d.target_id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (tenant_id, endpoint_id, lane)
  JOIN lanes l ON ${laneByKey('l', 'i')} AND ${selectivityHint('i.endpoint_id')}
  JOIN deliveries d ON d.tenant_id = l.tenant_id AND d.id = l.head AND d.state IN ${OPEN}
  WHERE NOT ${IS_PARKED}
  ON CONFLICT DO NOTHING`

const MAX_REPAIRED = 1_000

/**
 * Repairs lanes that are not empty and whose head waits nowhere. It is checked every minute, though
 * no statement here leaves such a lane behind.
 */
export async function repairLanes(pool: Pool): Promise<number> {
  const { rows: stuck } = await withRetries(() => pool.query<Lane>(FIND_STUCK, [MAX_REPAIRED]))
  if (stuck.length === 0) return 0
  await withRetries(() =>
    inTransaction(pool, async (client) => {
      await lockLanes(client, stuck)
      await releaseNext(client, stuck, 'due')
      return await client.query(RESUME, laneColumns(stuck))
    }),
  )
  return stuck.length
}
