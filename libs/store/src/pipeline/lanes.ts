/**
 * FIFO lanes. Of a lane's deliveries only its head may go: it waits in `due` or `parked`, as others do, while those behind
 * it wait in `lane_waiting` by their place. The end of a head is recorded and its next released in one transaction, so no
 * delivery ever goes out before the end of the one before it is durable.
 *
 * Whoever takes from a lane locks its row first and reads the lane in a later statement, which sees what the lock waited
 * for. Fan-out, which only adds, does so in one statement: the row that it gets back tells whether there was a head.
 *
 * A delivery is held from the moment in which it came to wait here, also while it is the head and parked (`head_since`): so
 * it expires as soon as any other that is held as long (`expire-held.ts`).
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { type Client, inTransaction } from '../transaction.ts'
import { selectivityHint } from './selectivity-hint.ts'
import { KIND, LEASE } from './lease.ts'
import { IS_POLLED, VISIBLE_PRIORITY } from './poll-mode.ts'
import { rowToDueDelivery, DUE_DELIVERY_COLUMNS, type DueDeliveryRow } from './due-delivery.ts'

export interface Lane {
  tenantId: string
  endpointId: string
  lane: string
}

/** A head as its holder knows it. */
export interface LeasedHead extends Lane {
  deliveryId: string
  token: number
}

/** `lease`: to us, who take them on or announce them. `due`: due now, for the sweep to announce. */
type ReleaseTo = 'lease' | 'due'

const { queued, delivering, waiting } = STATE_CODE
const OPEN = `(${queued}, ${delivering}, ${waiting})`

const KEY = 'tenant_id, endpoint_id, lane'
const SAME_LANE = (a: string, b: string): string =>
  `${a}.tenant_id = ${b}.tenant_id AND ${a}.endpoint_id = ${b}.endpoint_id AND ${a}.lane = ${b}.lane`

/**
 * CTEs that put deliveries at their lanes' ends in the order of `seq`: those of the CTE `made`, which has `tenant_id,
 * endpoint_id, lane, id, seq`. `behind` returns `delivery_id` of those that wait; another is its lane's head.
 */
export function appendToLanes(made: string): string {
  return lineUpAs(made, 'id', 'lanes.head')
}

/** As `lineUp`, for the replayed, which may be heads: none of them is from then on, until `releaseNext` has been called. */
export function appendReplayed(moved: string): string {
  return lineUpAs(
    moved,
    'NULL',
    `nullif(lanes.head, (SELECT m.id FROM ${moved} m WHERE m.id = lanes.head))`,
  )
}

function lineUpAs(made: string, newHead: string, head: string): string {
  return `lined AS MATERIALIZED (
  SELECT tenant_id, endpoint_id, lane, id, row_number() OVER (PARTITION BY ${KEY} ORDER BY seq, id) AS nth,
    count(*) OVER (PARTITION BY ${KEY}) AS added
  FROM ${made} WHERE lane IS NOT NULL
), lengthened AS (
  INSERT INTO lanes (${KEY}, head, tail) SELECT ${KEY}, ${newHead}::uuid, added FROM lined WHERE nth = 1 ORDER BY ${KEY}
  ON CONFLICT (${KEY}) DO UPDATE SET tail = lanes.tail + excluded.tail, head = ${head}
  RETURNING ${KEY}, head, tail
), behind AS (
  INSERT INTO lane_waiting (${KEY}, position, delivery_id)
  SELECT i.tenant_id, i.endpoint_id, i.lane, l.tail - i.added + i.nth, i.id
  FROM lined i JOIN lengthened l ON ${SAME_LANE('l', 'i')} WHERE l.head IS DISTINCT FROM i.id
  RETURNING delivery_id
)`
}

// Sorted as everywhere: two who lock some of the same lanes can't deadlock.
const LANES = `input AS MATERIALIZED (
  SELECT DISTINCT tenant_id, endpoint_id, lane
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (tenant_id, endpoint_id, lane)
  WHERE ${selectivityHint('i.endpoint_id')} ORDER BY 1, 2, 3
), locked AS (
  UPDATE lanes l SET locks = l.locks + 1 FROM input i WHERE ${SAME_LANE('l', 'i')} RETURNING 1
)`

const LOCK = `WITH ${LANES} SELECT count(*) FROM locked`

// After the lanes, so that whoever waits for a lane holds up nobody who only renews leases.
const LOCK_HEADS = `WITH ${LANES}, owned AS (
  UPDATE due SET leased = true
  FROM (
    SELECT * FROM unnest($1::uuid[], $4::uuid[], $5::float8[]) AS h (tenant_id, id, token) WHERE ${selectivityHint('h.id')} ORDER BY id
  ) h
  WHERE due.tenant_id = h.tenant_id AND due.id = h.id AND due.due_at = from_micros(h.token)
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

export async function lockLanes(client: Client, lanes: readonly Lane[]): Promise<void> {
  await client.query({ name: 'lock-lanes', text: LOCK, values: laneColumns(lanes) })
}

/**
 * Locks the lanes of heads and, until the transaction ends, the heads' leases.
 * @returns the ids of those that are still ours: of the others somebody else may have a try in flight, whose end must
 * come before that of the lane's next begins
 */
export async function lockHeads(
  client: Client,
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

// Whether a delivery is open is looked up one by one: joined, the planner might read all partitions for it. What has ended
// while it waited, for its consumer acknowledged it unseen, is passed over and goes.
const RELEASE = `WITH input AS MATERIALIZED (
  SELECT DISTINCT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (tenant_id, endpoint_id, lane)
  WHERE ${selectivityHint('i.endpoint_id')}
), idle AS MATERIALIZED (
  SELECT l.tenant_id, l.endpoint_id, l.lane FROM input i JOIN lanes l ON ${SAME_LANE('l', 'i')}
  WHERE NOT ${isOpen('l', 'head')}
), next AS MATERIALIZED (
  SELECT i.*, w.position, w.delivery_id, w.waits_since FROM idle i LEFT JOIN LATERAL (
    SELECT position, delivery_id, waits_since FROM lane_waiting w
    WHERE ${SAME_LANE('w', 'i')} AND ${isOpen('w', 'delivery_id')}
    ORDER BY position LIMIT 1
  ) w ON true
), taken AS (
  DELETE FROM lane_waiting w USING next n
  WHERE ${SAME_LANE('w', 'n')} AND w.position <= coalesce(n.position, 9223372036854775807)
), led AS (
  UPDATE lanes l SET head = n.delivery_id, head_since = n.waits_since
  FROM next n WHERE ${SAME_LANE('l', 'n')} AND n.delivery_id IS NOT NULL
), emptied AS (
  DELETE FROM lanes l USING next n WHERE ${SAME_LANE('l', 'n')} AND n.delivery_id IS NULL
), heads AS MATERIALIZED (
  SELECT ${DUE_DELIVERY_COLUMNS}, d.target_id, n.waits_since FROM next n
  JOIN deliveries d ON d.tenant_id = n.tenant_id AND d.id = n.delivery_id AND ${selectivityHint('n.delivery_id')}
  JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
), placed AS MATERIALIZED (
  SELECT m.*, ${IS_POLLED} AS polled FROM heads m
), shown AS (
  INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id, parked_at)
  SELECT tenant_id, target_id, ${VISIBLE_PRIORITY}, seq, delivery_id, event_id, waits_since FROM placed WHERE polled
  ON CONFLICT DO NOTHING
), waits AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT tenant_id, delivery_id, ${KIND.delivery}, CASE WHEN $4 THEN now() + ${LEASE} ELSE now() END, $4, target_id
  FROM placed WHERE NOT polled
  ON CONFLICT (tenant_id, id) DO UPDATE SET due_at = excluded.due_at, leased = excluded.leased
  RETURNING id, due_at
)
SELECT p.*, micros(w.due_at) AS token FROM placed p JOIN waits w ON w.id = p.delivery_id ORDER BY p.seq`

/**
 * Of lanes that are locked, the next where the head has ended. It may be repeated.
 * @returns the heads that are leased to us now
 */
export async function releaseNext(
  client: Client,
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

/** For heads that a statement without locks has ended. When it comes to nothing, `mendLanes` does the same. */
export async function releaseEnded(pool: Pool, lanes: readonly Lane[]): Promise<void> {
  if (lanes.length === 0) return
  await withRetries(() =>
    inTransaction(pool, async (client) => {
      await lockLanes(client, lanes)
      return await releaseNext(client, lanes, 'due')
    }),
  )
}

/** As many of a lane as wait behind its head, in one statement of some 50 ms. */
const MAX_EMPTIED = 1_000

/** What waits behind the heads of locked lanes, the first of it: for `end-deliveries.ts`, which ends it. */
export const TAKE_BEHIND = `behind AS MATERIALIZED (
  SELECT i.tenant_id, i.endpoint_id, i.lane, i.reason, w.position, w.delivery_id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS i (tenant_id, endpoint_id, lane, reason)
  CROSS JOIN LATERAL (
    SELECT position, delivery_id FROM lane_waiting w WHERE ${SAME_LANE('w', 'i')}
    ORDER BY position LIMIT greatest(1, ${MAX_EMPTIED} / cardinality($1::uuid[]))
  ) w WHERE ${selectivityHint('i.endpoint_id')}
), gone AS (
  DELETE FROM lane_waiting w USING behind b
  WHERE ${SAME_LANE('w', 'b')} AND w.position = b.position AND ${selectivityHint('b.delivery_id')}
  RETURNING w.tenant_id, w.delivery_id, b.reason
)`

/** Lanes in which somebody has waited behind the head for so many days. Who came first to a lane waits for longest. */
export const FIND_EXPIRED_LANES = `SELECT l.tenant_id AS "tenantId", l.endpoint_id AS "endpointId", l.lane FROM lanes l
  CROSS JOIN LATERAL (
    SELECT waits_since FROM lane_waiting w WHERE ${SAME_LANE('w', 'l')} ORDER BY position LIMIT 1
  ) w WHERE w.waits_since < now() - $1 * interval '1 day' LIMIT $2`

/** CTEs that take them from lanes that are locked, as many of each as `limit` says: `gone` returns them. */
export function takeExpiredBehind(days: string, limit: string): string {
  return `held AS MATERIALIZED (
  SELECT i.tenant_id, i.endpoint_id, i.lane, w.position, w.delivery_id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (tenant_id, endpoint_id, lane)
  CROSS JOIN LATERAL (
    SELECT position, delivery_id, waits_since FROM lane_waiting w WHERE ${SAME_LANE('w', 'i')}
    ORDER BY position LIMIT ${limit}
  ) w WHERE w.waits_since < now() - ${days} * interval '1 day' AND ${selectivityHint('i.endpoint_id')}
), gone AS (
  DELETE FROM lane_waiting w USING held h
  WHERE ${SAME_LANE('w', 'h')} AND w.position = h.position AND ${selectivityHint('h.delivery_id')}
  RETURNING w.tenant_id, w.delivery_id
)`
}

const FIND_STUCK = `WITH nameless AS (
  INSERT INTO lanes (tenant_id, endpoint_id, lane, tail)
  SELECT w.tenant_id, w.endpoint_id, w.lane, max(w.position) FROM lane_waiting w
  WHERE NOT EXISTS (SELECT FROM lanes l WHERE ${SAME_LANE('l', 'w')})
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LIMIT $1
  ON CONFLICT DO NOTHING RETURNING tenant_id, endpoint_id, lane
)
SELECT tenant_id AS "tenantId", endpoint_id AS "endpointId", lane FROM nameless
UNION ALL (
  SELECT l.tenant_id, l.endpoint_id, l.lane FROM lanes l
  WHERE NOT EXISTS (SELECT FROM due WHERE due.tenant_id = l.tenant_id AND due.id = l.head)
    AND NOT coalesce((
      SELECT EXISTS (SELECT FROM parked p WHERE p.tenant_id = d.tenant_id AND p.target_id = d.target_id
        AND p.priority IN (d.priority, ${VISIBLE_PRIORITY}) AND p.seq = d.seq AND p.delivery_id = d.id)
      FROM deliveries d WHERE d.tenant_id = l.tenant_id AND d.id = l.head), false)
  LIMIT $1
)`

const RESUME = `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT d.tenant_id, d.id, ${KIND.delivery}, now(), false, d.target_id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (tenant_id, endpoint_id, lane)
  JOIN lanes l ON ${SAME_LANE('l', 'i')} AND ${selectivityHint('i.endpoint_id')}
  JOIN deliveries d ON d.tenant_id = l.tenant_id AND d.id = l.head AND d.state IN ${OPEN}
  WHERE NOT EXISTS (SELECT FROM parked p WHERE p.tenant_id = d.tenant_id AND p.target_id = d.target_id
    AND p.priority IN (d.priority, ${VISIBLE_PRIORITY}) AND p.seq = d.seq AND p.delivery_id = d.id)
  ON CONFLICT DO NOTHING`

const MAX_MENDED = 1_000

/** Lanes that are not empty and whose head waits nowhere: a check of each minute. Nothing that is right makes any. */
export async function repairLanes(pool: Pool): Promise<number> {
  const { rows: stuck } = await withRetries(() =>
    pool.query<Lane>({ name: 'find-stuck-lanes', text: FIND_STUCK, values: [MAX_MENDED] }),
  )
  if (stuck.length === 0) return 0
  await withRetries(() =>
    inTransaction(pool, async (client) => {
      await lockLanes(client, stuck)
      await releaseNext(client, stuck, 'due')
      return await client.query({ name: 'resume-lanes', text: RESUME, values: laneColumns(stuck) })
    }),
  )
  return stuck.length
}
