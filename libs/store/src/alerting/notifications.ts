/**
 * What waits to be sent, by target: what goes to one target goes one after the other, under the
 * lease of one worker, and targets share nothing. So a chat service that is down keeps its own
 * notifications waiting, and no others.
 *
 * A target needs no row while nothing is wrong with it: those with something to send are found by
 * their notifications, going from one target to the next in the index. Whoever writes a
 * notification thus touches nothing that another writes.
 */
import { anyRow } from '../any-row.ts'
import type { Pool } from '../pool.ts'
import { selectivityHint } from '../pipeline/sql/selectivity-hint.ts'
import { withRetries } from '../repeat.ts'
import type { AlertFacts } from './evaluations.ts'

export interface TargetKey {
  tenantId: string
  target: string
}

export interface TakenTarget extends TargetKey {
  /** Attempts that failed one after the other. */
  failures: number
}

export interface WaitingNotification extends TargetKey {
  id: string
  /** Attempts that have been made. */
  attempts: number
  connectorId: string | null
  /** Set for an event; the next three for an alert. */
  eventId: string | null
  ruleId: string | null
  /** Sealed in the place of the rule's own. */
  action: string | null
  alert: AlertFacts | null
}

/**
 * Longer than a worker sends to one target at a time: twenty seconds, and one more that was begun.
 */
const LEASE = `interval '45 seconds'`
/** Going from target to target takes 20 us for each. */
const MAX_TARGETS_LOOKED_AT = 2_000

export interface TargetsTaken {
  targets: TakenTarget[]
  /** Where the next look goes on; null: it begins anew. */
  last: TargetKey | null
}

/**
 * Targets with something that is due, at most `limit`, and of each tenant at most `share` with
 * those that this process has already.
 * @param busy how many targets of each tenant this process is sending to
 */
export async function takeTargets(
  pool: Pick<Pool, 'query'>,
  { limit, share, after }: { limit: number; share: number; after: TargetKey | null },
  busy: ReadonlyMap<string, number>,
): Promise<TargetsTaken> {
  // Mostly nothing is there: a look costs a tenth of the statement.
  if (!(await anyRow(pool, ANY_NOTIFICATION))) return { targets: [], last: null }
  const { rows } = await pool.query<TakenTarget & { isTaken: boolean; seen: number }>({
    name: 'take-notification-targets',
    text: TAKE_TARGETS,
    values: [
      after?.tenantId ?? NOBODY,
      after?.target ?? NOBODY,
      limit,
      share,
      [...busy.keys()],
      [...busy.values()],
    ],
  })
  const last = rows.find(({ seen }) => seen >= MAX_TARGETS_LOOKED_AT)
  return {
    targets: rows.filter(({ isTaken }) => isTaken),
    last: last === undefined ? null : { tenantId: last.tenantId, target: last.target },
  }
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
const ANY_NOTIFICATION = {
  name: 'any-notification',
  text: 'SELECT true FROM alert_notifications WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1',
  values: [NOBODY],
}

const TAKE_TARGETS = `WITH RECURSIVE heads AS (
  (SELECT tenant_id, target, due_at, 1 AS nth FROM alert_notifications
    WHERE (tenant_id, target) > ($1::uuid, $2::uuid) ORDER BY tenant_id, target, due_at LIMIT 1)
  UNION ALL
  SELECT n.* FROM heads h CROSS JOIN LATERAL (
    SELECT tenant_id, target, due_at, h.nth + 1 FROM alert_notifications
    WHERE (tenant_id, target) > (h.tenant_id, h.target)
    ORDER BY tenant_id, target, due_at LIMIT 1) n
  WHERE h.nth < ${MAX_TARGETS_LOOKED_AT}
), ready AS (
  SELECT h.tenant_id, h.target, row_number() OVER (PARTITION BY h.tenant_id ORDER BY h.due_at)
    + coalesce(b.n, 0) AS place, h.due_at
  FROM heads h
  LEFT JOIN notification_targets t ON t.tenant_id = h.tenant_id AND t.target = h.target
  LEFT JOIN unnest($5::uuid[], $6::int[]) AS b (tenant_id, n) ON b.tenant_id = h.tenant_id
  WHERE h.due_at <= now() AND coalesce(t.blocked_until <= now(), true)
), chosen AS (
  SELECT tenant_id, target FROM ready WHERE place <= $4 ORDER BY place, due_at LIMIT $3
), taken AS (
  INSERT INTO notification_targets AS t (tenant_id, target, blocked_until)
  SELECT tenant_id, target, now() + ${LEASE} FROM chosen ORDER BY tenant_id, target
  ON CONFLICT (tenant_id, target) DO UPDATE SET blocked_until = now() + ${LEASE}
    WHERE t.blocked_until <= now()
  RETURNING tenant_id, target, failures
)
SELECT tenant_id AS "tenantId", target, failures, true AS "isTaken", 0 AS seen FROM taken
UNION ALL
(SELECT tenant_id, target, 0, false, nth FROM heads ORDER BY nth DESC LIMIT 1)`

/** Those that are due for a target, in the order in which they go. */
export async function readDueNotifications(
  pool: Pick<Pool, 'query'>,
  { tenantId, target }: TargetKey,
  limit: number,
): Promise<WaitingNotification[]> {
  const { rows } = await pool.query<WaitingNotification>({
    name: 'read-due-notifications',
    text: `SELECT tenant_id AS "tenantId", target, id, attempts, connector_id AS "connectorId",
        event_id AS "eventId", rule_id AS "ruleId", action, alert
      FROM alert_notifications
      WHERE tenant_id = $1 AND target = $2 AND due_at <= now() ORDER BY due_at, id LIMIT $3`,
    values: [tenantId, target, limit],
  })
  return rows
}

export interface NotificationEnd {
  /** `dropped`: nobody needs it any more. */
  delivery: 'sent' | 'failed' | 'dropped'
  attempts: number
  error: string | null
}

/** Whoever comes second, after a lease that ended, changes nothing. */
export async function finishNotification(
  pool: Pick<Pool, 'query'>,
  { tenantId, id }: Pick<WaitingNotification, 'tenantId' | 'id'>,
  { delivery, attempts, error }: NotificationEnd,
): Promise<void> {
  await withRetries(() =>
    pool.query({
      name: 'finish-notification',
      text: `WITH gone AS (
          DELETE FROM alert_notifications WHERE tenant_id = $1 AND id = $2 RETURNING id
        )
        UPDATE alert_history h SET delivery = $3, attempts = $4, error = $5
        FROM gone WHERE h.tenant_id = $1 AND h.id = gone.id AND $3 <> 'dropped'`,
      values: [tenantId, id, delivery, attempts, error],
    }),
  )
}

/** What the same rule sends after it waits as long, so that a resolve never comes first. */
export async function postponeNotification(
  pool: Pick<Pool, 'query'>,
  { tenantId, target, id, ruleId }: WaitingNotification,
  { attempts, delayMs, error }: { attempts: number; delayMs: number; error: string | null },
): Promise<void> {
  await withRetries(() =>
    pool.query({
      name: 'postpone-notification',
      text: `WITH late AS (
          UPDATE alert_notifications SET attempts = $5, due_at = now() + $6 * interval '1 ms'
          WHERE tenant_id = $1 AND id = $3
        ), later AS (
          UPDATE alert_notifications
          SET due_at = greatest(due_at, now() + $6 * interval '1 ms')
          WHERE tenant_id = $1 AND target = $2 AND rule_id = $4 AND id > $3
        )
        UPDATE alert_history SET attempts = $5, error = $7 WHERE tenant_id = $1 AND id = $3`,
      values: [tenantId, target, id, ruleId, attempts, delayMs, error],
    }),
  )
}

/** Ends the lease of a target. @param pauseMs 0: nothing is wrong with it */
export async function releaseTarget(
  pool: Pick<Pool, 'query'>,
  { tenantId, target }: TargetKey,
  { failures, pauseMs }: { failures: number; pauseMs: number },
): Promise<void> {
  const isWell = failures === 0 && pauseMs === 0
  await withRetries(() =>
    pool.query({
      name: isWell ? 'forget-notification-target' : 'release-notification-target',
      text: isWell
        ? 'DELETE FROM notification_targets WHERE tenant_id = $1 AND target = $2'
        : `UPDATE notification_targets SET failures = $3,
            blocked_until = now() + $4 * interval '1 ms'
          WHERE tenant_id = $1 AND target = $2`,
      values: isWell ? [tenantId, target] : [tenantId, target, failures, pauseMs],
    }),
  )
}

/** Events for a connector wait no longer, and no more of them wait. */
const MAX_EVENT_AGE = `interval '1 hour'`
const MAX_WAITING_EVENTS = 10_000
const HISTORY_KEPT = `interval '90 days'`
const PURGED_AT_ONCE = 1_000

/**
 * Removes what is too old or too much, some of each: events that a connector could not take in
 * time, history, and targets that nobody has sent anything to for a day.
 * @returns how much was removed
 */
export async function purgeNotifications(pool: Pick<Pool, 'query'>): Promise<number> {
  let removed = 0
  for (const [name, text] of PURGES) {
    const { rowCount } = await withRetries(() => pool.query({ name, text }))
    removed += rowCount ?? 0
  }
  return removed
}

const PURGES: readonly (readonly [name: string, text: string])[] = [
  [
    'purge-waiting-events',
    `DELETE FROM alert_notifications n USING (
      SELECT w.tenant_id, w.id FROM connectors c CROSS JOIN LATERAL (
        (SELECT tenant_id, id FROM alert_notifications
          WHERE tenant_id = c.tenant_id AND target = c.id AND created_at < now() - ${MAX_EVENT_AGE}
          ORDER BY due_at LIMIT ${PURGED_AT_ONCE})
        UNION
        (SELECT tenant_id, id FROM alert_notifications
          WHERE tenant_id = c.tenant_id AND target = c.id
          ORDER BY due_at DESC, id DESC OFFSET ${MAX_WAITING_EVENTS} LIMIT ${PURGED_AT_ONCE})
      ) w WHERE c.event_types <> '{}'
    ) old WHERE n.tenant_id = old.tenant_id AND n.id = old.id`,
  ],
  [
    'purge-alert-history',
    `DELETE FROM alert_history h USING (
      SELECT tenant_id, id FROM alert_history WHERE at < now() - ${HISTORY_KEPT}
      ORDER BY at LIMIT ${PURGED_AT_ONCE}
    ) old WHERE ${selectivityHint('old.id')} AND h.tenant_id = old.tenant_id AND h.id = old.id`,
  ],
  [
    'purge-notification-targets',
    `DELETE FROM notification_targets t WHERE t.blocked_until < now() - interval '1 day'
      AND NOT EXISTS (SELECT FROM alert_notifications n
        WHERE n.tenant_id = t.tenant_id AND n.target = t.target)`,
  ],
]

/** An event as its message is made of it; null: it is gone. */
export async function readEventForNotification(
  pool: Pick<Pool, 'query'>,
  tenantId: string,
  eventId: string,
): Promise<{ eventType: string; payload: string } | null> {
  const { rows } = await pool.query<{ eventType: string; payload: string }>({
    name: 'read-event-for-notification',
    text: `SELECT coalesce(event_type, '') AS "eventType", payload FROM events
      WHERE tenant_id = $1 AND id = $2`,
    values: [tenantId, eventId],
  })
  return rows[0] ?? null
}

/** Whether anybody has been told that an episode of a rule began. */
export async function wasFiringSent(
  pool: Pick<Pool, 'query'>,
  tenantId: string,
  ruleId: string,
  episode: number,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'was-firing-sent',
    text: `SELECT FROM alert_history WHERE tenant_id = $1 AND rule_id = $2 AND episode = $3
      AND status = 'firing' AND delivery = 'sent' LIMIT 1`,
    values: [tenantId, ruleId, episode],
  })
  return rowCount === 1
}
