/**
 * Parking, and the backlogs that stand for what is parked. Deliveries that can't go now wait parked
 * at their target instead of in `due`, however many they are, and one backlog row per target stands
 * for all of them. The backlog's row in `due` is the lease of the dispatcher that serves it; its
 * epoch guards every take, so that a dispatcher which lost the lease takes nothing more.
 */
import type { DueBacklog, DueDelivery } from '@posthorn/contracts/topics'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { byKey, hasToken } from './sql/by-key.ts'
import { selectivityHint } from './sql/selectivity-hint.ts'
import { KIND, LEASE } from './sql/lease.ts'
import { KEEP_PARKED } from './sql/parked.ts'
import { isPolled, VISIBLE_PRIORITY } from './sql/poll-mode.ts'
import { rowToDueDelivery, DUE_DELIVERY_COLUMNS, type DueDeliveryRow } from './sql/due-delivery.ts'

export interface DeliveryToPark {
  tenantId: string
  deliveryId: string
  eventId: string
  token: number
  targetId: string
  endpointId: string | null
  priority: number
  seq: number
}

export interface OwnedBacklog {
  tenantId: string
  targetId: string
  endpointId: string | null
  epoch: number
  token: number
}

/**
 * Parks deliveries whose leases the caller owns; one whose token has changed is left alone.
 * @returns the backlogs that this made: the caller owns them now
 */
export async function parkDeliveries(
  pool: Pool,
  deliveries: readonly DeliveryToPark[],
): Promise<OwnedBacklog[]> {
  const sorted = [...deliveries].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  const rows = sorted.map((delivery) => ({
    t: delivery.tenantId,
    d: delivery.deliveryId,
    e: delivery.eventId,
    k: delivery.token,
    g: delivery.targetId,
    n: delivery.endpointId,
    r: delivery.priority,
    s: delivery.seq,
  }))
  const result = await withRetries(() =>
    pool.query<OwnedBacklog>({
      name: 'park-deliveries',
      text: PARK,
      values: [JSON.stringify(rows)],
    }),
  )
  return result.rows
}

const PARK = `WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
    AS i (t uuid, d uuid, e uuid, k float8, g uuid, n uuid, r smallint, s bigint)
  WHERE ${selectivityHint('i.d')}
), gone AS (
  DELETE FROM due USING input i
  WHERE ${byKey('due', { tenant_id: 'i.t', id: 'i.d' })} AND ${hasToken('i.k')}
  RETURNING i.t, i.g, i.n, i.r, i.s, i.d, i.e
), rows AS (
  INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id)
  SELECT t, g, r, s, d, e FROM gone
  ${KEEP_PARKED}
), targets AS (
  INSERT INTO backlogs (tenant_id, target_id, endpoint_id)
  SELECT DISTINCT t, g, n FROM gone ORDER BY t, g
  ON CONFLICT (tenant_id, target_id) DO UPDATE SET parks = backlogs.parks + 1
  RETURNING tenant_id, target_id, endpoint_id, epoch, parks
), waits AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT tenant_id, target_id, ${KIND.backlog}, now() + ${LEASE}, true, target_id
  FROM targets WHERE parks = 1
  ON CONFLICT (tenant_id, id) DO UPDATE SET due_at = excluded.due_at, leased = true
  RETURNING id, due_at
)
SELECT t.tenant_id AS "tenantId", t.target_id AS "targetId", t.endpoint_id AS "endpointId",
  t.epoch::float8 AS epoch, micros(w.due_at) AS token
FROM targets t JOIN waits w ON w.id = t.target_id`

/** Takes over the backlog that was announced; null when another dispatcher did. */
export async function takeBacklog(pool: Pool, announced: DueBacklog): Promise<OwnedBacklog | null> {
  const { rows } = await pool.query<{ epoch: number; token: number }>({
    name: 'take-backlog',
    text: `WITH leased AS (
        UPDATE due SET due_at = now() + ${LEASE}, leased = true
        WHERE tenant_id = $1 AND id = $2 AND due_at = from_micros($3) RETURNING due_at
      ), owned AS (
        UPDATE backlogs SET epoch = nextval('backlog_epochs')
        WHERE tenant_id = $1 AND target_id = $2 AND EXISTS (SELECT FROM leased)
        RETURNING epoch
      )
      SELECT epoch::float8 AS epoch, micros(due_at) AS token FROM owned, leased`,
    values: [announced.tenantId, announced.targetId, announced.token],
  })
  const row = rows[0]
  if (row === undefined) return null
  const { tenantId, targetId, endpointId } = announced
  return { tenantId, targetId, endpointId, ...row }
}

export interface TakenDeliveries {
  /** In the order in which they should go; each is leased to the caller. */
  deliveries: DueDelivery[]
  /** False: another dispatcher owns the backlog now. */
  owned: boolean
  /** How many are parked no more, whether they were still open or not. */
  unparked: number
  /** For `finishBacklog`. */
  parks: number
}

/** At most so many deliveries of a backlog that the caller owns. */
export interface TakeRequest {
  backlog: OwnedBacklog
  limit: number
}

/**
 * Takes the next parked deliveries of an owned backlog: priority first, then the order of
 * acceptance.
 */
export async function takeParked(
  pool: Pool,
  backlog: OwnedBacklog,
  limit: number,
): Promise<TakenDeliveries> {
  const [taken] = await takeParkedOfMany(pool, [{ backlog, limit }])
  return taken ?? newTaken(false)
}

/**
 * As `takeParked`, for many backlogs in one statement: a few deliveries of each of 50 backlogs cost
 * as much as the same number of one backlog.
 * @param takes no target twice
 * @returns one answer for each, in the order given
 */
export async function takeParkedOfMany(
  pool: Pool,
  takes: readonly TakeRequest[],
): Promise<TakenDeliveries[]> {
  if (takes.length === 0) return []
  const sorted = [...takes].sort((a, b) => (a.backlog.targetId < b.backlog.targetId ? -1 : 1))
  const { rows } = await withRetries(() =>
    pool.query<TakenRow>({
      name: 'take-parked',
      text: TAKE,
      values: [
        sorted.map(({ backlog }) => backlog.tenantId),
        sorted.map(({ backlog }) => backlog.targetId),
        sorted.map(({ backlog }) => backlog.epoch),
        sorted.map(({ limit }) => limit),
      ],
    }),
  )
  const byTarget = new Map<string, TakenDeliveries>()
  for (const row of rows) {
    let taken = byTarget.get(row.owned_id)
    if (taken === undefined) {
      taken = { ...newTaken(true), unparked: row.unparked, parks: row.parks }
      byTarget.set(row.owned_id, taken)
    }
    if (row.delivery_id !== null) taken.deliveries.push(rowToDueDelivery(row))
  }
  return takes.map(({ backlog }) => byTarget.get(backlog.targetId) ?? newTaken(false))
}

type TakenRow = DueDeliveryRow & { owned_id: string; parks: number; unparked: number }

function newTaken(owned: boolean): TakenDeliveries {
  return { deliveries: [], owned, unparked: 0, parks: 0 }
}

const { queued, delivering, waiting } = STATE_CODE

// `parks` comes from the very snapshot that `next` reads. So the statement takes no lock that would
// wait for a parking in between: it would see the count of that parking and not its delivery, and
// `finishBacklog` would leave the delivery behind. When two owners meet here, each delivery goes to
// one of them, because it is deleted once. A row is deleted by its place, which nobody changes:
// joined by its key, the planner, which may know nothing of a target that has just filled up, would
// read all of the target's rows for each row of `next`.
const TAKE = `WITH takes AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::float8[], $4::int[]) AS i (t, g, epoch, most)
  WHERE ${selectivityHint('i.g')}
), owned AS MATERIALIZED (
  SELECT i.t, i.g, i.most, b.parks FROM takes i
  JOIN backlogs b ON ${byKey('b', { tenant_id: 'i.t', target_id: 'i.g' })} AND b.epoch = i.epoch
), next AS MATERIALIZED (
  SELECT o.t, o.g, p.place, p.delivery_id FROM owned o CROSS JOIN LATERAL (
    SELECT ctid AS place, delivery_id FROM parked WHERE tenant_id = o.t AND target_id = o.g
    ORDER BY priority, seq, delivery_id LIMIT o.most
  ) p
), gone AS (
  DELETE FROM parked p USING next n
  WHERE p.tenant_id = n.t AND p.ctid = n.place AND ${selectivityHint('n.delivery_id')}
  RETURNING p.tenant_id, p.target_id, p.delivery_id, p.event_id
), counts AS (
  SELECT target_id, count(*)::int AS unparked FROM gone GROUP BY target_id
), open AS (
  SELECT g.target_id, ${DUE_DELIVERY_COLUMNS} FROM gone g
  CROSS JOIN LATERAL (
    SELECT * FROM deliveries d WHERE d.tenant_id = g.tenant_id AND d.id = g.delivery_id
      AND d.state IN (${queued}, ${delivering}, ${waiting}) OFFSET 0
  ) d
  CROSS JOIN LATERAL (
    SELECT * FROM events e WHERE e.tenant_id = g.tenant_id AND e.id = g.event_id OFFSET 0
  ) e
), leased AS (
  INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
  SELECT tenant_id, delivery_id, ${KIND.delivery}, now() + ${LEASE}, true, target_id FROM open
  ON CONFLICT (tenant_id, id) DO UPDATE SET due_at = excluded.due_at, leased = true
  RETURNING id, due_at
)
SELECT owned.g AS owned_id, owned.parks::float8 AS parks,
  coalesce(counts.unparked, 0) AS unparked, taken.*
FROM owned LEFT JOIN counts ON counts.target_id = owned.g LEFT JOIN (
  SELECT open.*, micros(leased.due_at) AS token FROM open
    JOIN leased ON leased.id = open.delivery_id
) taken ON taken.target_id = owned.g ORDER BY taken.priority, taken.seq`

/** Ends a backlog in which nothing was found; false when something has been parked since. */
export async function finishBacklog(
  pool: Pool,
  backlog: OwnedBacklog,
  parks: number,
): Promise<boolean> {
  const { rowCount } = await withRetries(() =>
    pool.query({
      name: 'finish-backlog',
      text: `WITH finished AS (
          DELETE FROM backlogs WHERE tenant_id = $1 AND target_id = $2 AND epoch = $3 AND parks = $4
          RETURNING tenant_id, target_id
        ), gone AS (
          DELETE FROM due USING finished f
          WHERE ${byKey('due', { tenant_id: 'f.tenant_id', id: 'f.target_id' })}
        )
        SELECT FROM finished`,
      values: [backlog.tenantId, backlog.targetId, backlog.epoch, parks],
    }),
  )
  return rowCount === 1
}

/**
 * Gives up a backlog until `afterMs` from now: when its next may go, or sooner when it is woken.
 */
export async function postponeBacklog(
  pool: Pool,
  backlog: OwnedBacklog,
  afterMs: number,
): Promise<void> {
  await withRetries(() =>
    pool.query({
      name: 'postpone-backlog',
      text: `UPDATE due SET due_at = now() + $4 * interval '1 millisecond', leased = false
        WHERE tenant_id = $1 AND id = $2 AND due_at = from_micros($3)`,
      values: [backlog.tenantId, backlog.targetId, backlog.token, afterMs],
    }),
  )
}

/**
 * Makes due at once what waits for a target: its backlog after a resume, and after a deletion also
 * what backs off. A delivery that is leased is left out: it would be announced to another
 * dispatcher, and sent by both.
 */
export async function wakeTarget(
  pool: Pool,
  tenantId: string,
  targetId: string,
  all: boolean,
): Promise<void> {
  await withRetries(() =>
    pool.query(
      `UPDATE due SET due_at = now(), leased = false
       WHERE tenant_id = $1 AND ($3 AND target_id = $2 AND NOT leased OR id = $2)
         AND due_at > now()`,
      [tenantId, targetId, all],
    ),
  )
}

/**
 * Makes the missing backlog rows of targets that have parked deliveries, checked every minute. What
 * is visible to polls needs none.
 */
export async function repairBacklogs(pool: Pool): Promise<number> {
  const { rowCount } = await withRetries(() =>
    pool.query(`WITH lost AS MATERIALIZED (
        SELECT p.tenant_id, p.target_id, max(p.priority) AS priority FROM parked p
        WHERE NOT EXISTS (
          SELECT FROM backlogs b WHERE b.tenant_id = p.tenant_id AND b.target_id = p.target_id)
        GROUP BY p.tenant_id, p.target_id
      ), missing AS (
        INSERT INTO backlogs (tenant_id, target_id, endpoint_id)
        SELECT l.tenant_id, l.target_id, d.endpoint_id
        FROM lost l CROSS JOIN LATERAL (
          SELECT p.delivery_id FROM parked p
          WHERE p.tenant_id = l.tenant_id AND p.target_id = l.target_id LIMIT 1
        ) p LEFT JOIN deliveries d ON d.tenant_id = l.tenant_id AND d.id = p.delivery_id
        WHERE l.priority > ${VISIBLE_PRIORITY} OR NOT EXISTS (
          SELECT FROM endpoints n
          WHERE n.tenant_id = l.tenant_id AND n.id = l.target_id AND ${isPolled('n')})
        ON CONFLICT DO NOTHING RETURNING tenant_id, target_id
      ), orphans AS (
        SELECT b.tenant_id, b.target_id FROM backlogs b
        WHERE NOT EXISTS (
          SELECT FROM due WHERE due.tenant_id = b.tenant_id AND due.id = b.target_id)
        UNION SELECT tenant_id, target_id FROM missing
      )
      INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
      SELECT tenant_id, target_id, ${KIND.backlog}, now(), false, target_id FROM orphans
      ON CONFLICT DO NOTHING`),
  )
  return rowCount ?? 0
}
