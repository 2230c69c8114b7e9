/** What several statements do with FIFO lanes, as CTEs: see `../lanes.ts` for how lanes work. */
import { selectivityHint } from './selectivity-hint.ts'
import { byKey } from './by-key.ts'

/** The key of a lane, in its tables and in the CTEs here. */
const KEY = 'tenant_id, endpoint_id, lane'

export const sameLane = (a: string, b: string): string =>
  `${a}.tenant_id = ${b}.tenant_id AND ${a}.endpoint_id = ${b}.endpoint_id
   AND ${a}.lane = ${b}.lane`

/** The same, to look up a row of a table of lanes for each row of `b`. */
export const laneByKey = (row: string, b: string): string =>
  byKey(row, {
    tenant_id: `${b}.tenant_id`,
    endpoint_id: `${b}.endpoint_id`,
    lane: `${b}.lane`,
  })

/**
 * CTEs that put deliveries at the ends of their lanes, in the order of `seq`. `behind` returns the
 * `delivery_id` of those that wait; each of the others is its lane's head.
 *
 * @param made names the CTE of the deliveries, with `tenant_id, endpoint_id, lane, id, seq`
 */
export function appendToLanes(made: string): string {
  return append(made, 'id', 'lanes.head')
}

/**
 * As `appendToLanes`, for replayed deliveries, which may be heads: afterwards none of them is one,
 * until `releaseNext` has been called.
 */
export function appendReplayed(moved: string): string {
  const head = `nullif(lanes.head, (SELECT m.id FROM ${moved} m WHERE m.id = lanes.head))`
  return append(moved, 'NULL', head)
}

function append(made: string, newHead: string, head: string): string {
  return `appended AS MATERIALIZED (
  SELECT ${KEY}, id, row_number() OVER (PARTITION BY ${KEY} ORDER BY seq, id) AS nth,
    count(*) OVER (PARTITION BY ${KEY}) AS added
  FROM ${made} WHERE lane IS NOT NULL
), lengthened AS (
  INSERT INTO lanes (${KEY}, head, tail)
  SELECT ${KEY}, ${newHead}::uuid, added FROM appended WHERE nth = 1 ORDER BY ${KEY}
  ON CONFLICT (${KEY}) DO UPDATE SET tail = lanes.tail + excluded.tail, head = ${head}
  RETURNING ${KEY}, head, tail
), behind AS (
  INSERT INTO lane_waiting (${KEY}, position, delivery_id)
  SELECT i.tenant_id, i.endpoint_id, i.lane, l.tail - i.added + i.nth, i.id
  FROM appended i JOIN lengthened l ON ${sameLane('l', 'i')} WHERE l.head IS DISTINCT FROM i.id
  RETURNING delivery_id
)`
}

/** One statement ends this many deliveries that wait behind heads: some 50 ms. */
const MAX_ENDED_BEHIND = 1_000

/**
 * CTEs that take the first of what waits behind the heads of locked lanes, for a statement that
 * ends them: `gone` returns `tenant_id, delivery_id, reason`.
 */
export const TAKE_BEHIND = `behind AS MATERIALIZED (
  SELECT i.tenant_id, i.endpoint_id, i.lane, i.reason, w.position, w.delivery_id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
    AS i (tenant_id, endpoint_id, lane, reason)
  CROSS JOIN LATERAL (
    SELECT position, delivery_id FROM lane_waiting w WHERE ${sameLane('w', 'i')}
    ORDER BY position LIMIT greatest(1, ${MAX_ENDED_BEHIND} / cardinality($1::uuid[]))
  ) w WHERE ${selectivityHint('i.endpoint_id')}
), gone AS (
  DELETE FROM lane_waiting w USING behind b
  WHERE ${laneByKey('w', 'b')} AND ${byKey('w', { position: 'b.position' })}
    AND ${selectivityHint('b.delivery_id')}
  RETURNING w.tenant_id, w.delivery_id, b.reason
)`

/**
 * CTEs that take from locked lanes what has waited behind their heads for so many days, at most
 * `limit` of each lane: `gone` returns `tenant_id, delivery_id`.
 */
export function takeExpiredBehind(days: string, limit: string): string {
  return `expired AS MATERIALIZED (
  SELECT i.tenant_id, i.endpoint_id, i.lane, w.position, w.delivery_id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS i (tenant_id, endpoint_id, lane)
  CROSS JOIN LATERAL (
    SELECT position, delivery_id, waits_since FROM lane_waiting w WHERE ${sameLane('w', 'i')}
    ORDER BY position LIMIT ${limit}
  ) w
  WHERE w.waits_since < now() - ${days} * interval '1 day' AND ${selectivityHint('i.endpoint_id')}
), gone AS (
  DELETE FROM lane_waiting w USING expired x
  WHERE ${laneByKey('w', 'x')} AND ${byKey('w', { position: 'x.position' })}
    AND ${selectivityHint('x.delivery_id')}
  RETURNING w.tenant_id, w.delivery_id
)`
}
