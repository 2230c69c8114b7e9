/**
 * Counts the finished days from the events and attempts themselves, so that what a process had not
 * written when it was killed is not lost, and nothing is counted twice. Called hourly, before
 * retention removes what is to be counted: it answers up to which day everything is counted.
 *
 * A day is counted an hour after its end. What a process writes later, having been frozen, makes
 * the day be counted anew, for as long as none of its events may have been removed.
 */
import { COUNTED_SOURCES } from '@posthorn/domain/event-source'
import { idAt } from '@posthorn/domain/ids'
import { dayOf, dayText, startOfDay } from '@posthorn/domain/usage-period'
import type { Pool } from '../pool.ts'

const HOUR_MS = 3_600_000
/** An event's id is made at most seconds before the event is written. */
const AFTER_END_MS = HOUR_MS
/** From here on a day may be removed, and is not counted again. */
const FINAL_MS = 25 * HOUR_MS
/** A busy day has tens of millions of rows: minutes. The others are counted an hour later. */
const MAX_DAYS = 4
/** As in `drop-partitions.ts`: a day is read by one statement. */
const COUNT_TIMEOUT_MS = 600_000

export interface RecountResult {
  /** The days that were counted now, as `2026-11-22`. */
  days: string[]
  /** All events before this instant are counted for good: retention may remove them. */
  countedUntil: Date
  /** There are more days to be counted. */
  more: boolean
}

/** Two at once do no harm: they count the same. */
export async function recountUsage(
  pool: Pool,
  now: Date,
  maxDays = MAX_DAYS,
): Promise<RecountResult> {
  const finished = await findFinishedDays(pool, now)
  const open = finished.filter(({ isOpen }) => isOpen)
  const days = open.slice(0, maxDays)
  for (const { day } of days) await recountDay(pool, day)
  await removeLateRows(pool, now)
  const finalBefore = dayOf(now.getTime() - FINAL_MS)
  const [next] = open.slice(maxDays)
  return {
    days: days.map(({ day }) => dayText(day)),
    countedUntil: startOfDay(Math.min(finalBefore, next?.day ?? finalBefore)),
    more: next !== undefined,
  }
}

interface FinishedDay {
  day: number
  /** It is to be counted. */
  isOpen: boolean
}

/** Days that have a partition, the oldest first. */
async function findFinishedDays(pool: Pool, now: Date): Promise<FinishedDay[]> {
  const { rows } = await pool.query<{ at: number; counted: boolean; late: boolean }>(
    `SELECT extract(epoch FROM d.day)::float8 * 1000 AS at,
       EXISTS (SELECT FROM usage_recounts r WHERE r.day = d.day) AS counted,
       EXISTS (SELECT FROM usage_days u WHERE u.day = d.day AND u.process <> '') AS late
     FROM (
       SELECT to_date(right(c.relname, 8), 'YYYYMMDD') AS day
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'events'::regclass AND NOT i.inhdetachpending
         AND c.relname ~ '^events_\\d{8}$'
     ) d ORDER BY 1`,
  )
  const isOver = (day: number, forMs: number): boolean =>
    startOfDay(day + 1).getTime() + forMs <= now.getTime()
  return rows
    .map(({ at, counted, late }) => ({ day: dayOf(at), counted, late }))
    .filter(({ day }) => isOver(day, AFTER_END_MS))
    .map(({ day, counted, late }) => ({
      day,
      isOpen: !counted || (late && !isOver(day, FINAL_MS)),
    }))
}

/**
 * What a sub-account uses counts on its parent. The version before writes no source: there the keys
 * that no sender may use tell what does not count.
 */
const COUNTED = `coalesce(e.source IN (${COUNTED_SOURCES.map((one) => `'${one}'`).join(', ')}),
  NOT (starts_with(e.idempotency_key, 'test:') OR starts_with(e.idempotency_key, 'service.')))`

/**
 * One statement, and so one view of the tables: rows that it removes are in what it counts. What is
 * written while it runs stays, and makes the day be counted anew.
 */
async function recountDay(pool: Pool, day: number): Promise<void> {
  // Literals, so that only the day's partitions are planned for.
  const inDay = (id: string): string =>
    `${id} >= '${idAt(startOfDay(day).getTime())}' AND
      ${id} < '${idAt(startOfDay(day + 1).getTime())}'`
  const text = `WITH counted AS (
    SELECT e.tenant_id, count(*) AS events, 0::bigint AS attempts FROM events e
      WHERE ${inDay('e.id')} AND ${COUNTED} GROUP BY 1
    UNION ALL
    SELECT a.tenant_id, 0, count(*) FROM attempts a WHERE ${inDay('a.id')} GROUP BY 1
    UNION ALL
    SELECT DISTINCT u.tenant_id, 0::bigint, 0::bigint FROM usage_days u
      WHERE u.day = $1 AND u.process <> ''
  ), written AS (
    INSERT INTO usage_days (tenant_id, day, process, events, attempts)
    SELECT coalesce(t.parent_id, c.tenant_id), $1, '', sum(c.events), sum(c.attempts)
      FROM counted c LEFT JOIN tenants t ON t.id = c.tenant_id GROUP BY 1
    ON CONFLICT (tenant_id, day, process) DO UPDATE SET
      events = excluded.events, attempts = excluded.attempts, updated_at = now()
  ), marked AS (
    INSERT INTO usage_recounts (day) VALUES ($1)
    ON CONFLICT (day) DO UPDATE SET counted_at = now()
  )
  DELETE FROM usage_days WHERE day = $1 AND process <> '' AND updated_at <= now()`
  const client = await pool.connect()
  let broken = true
  try {
    // The whole day is read: no index knows which events count.
    await client.query(`SET statement_timeout = ${COUNT_TIMEOUT_MS}; SET enable_seqscan = on`)
    const query = { text, values: [dayText(day)], query_timeout: COUNT_TIMEOUT_MS }
    await client.query(query)
    await client.query('RESET enable_seqscan; RESET statement_timeout')
    broken = false
  } finally {
    client.release(broken)
  }
}

/** Nobody reads what a process has written of a tenant's day that is counted for good. */
async function removeLateRows(pool: Pool, now: Date): Promise<void> {
  await pool.query(
    `DELETE FROM usage_days u WHERE u.process <> '' AND u.day < $1 AND EXISTS (
       SELECT FROM usage_days c
       WHERE c.tenant_id = u.tenant_id AND c.day = u.day AND c.process = '')`,
    [dayText(dayOf(now.getTime() - FINAL_MS))],
  )
}
