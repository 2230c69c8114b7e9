/**
 * GET /auth-audit: who signed in, how, and what went wrong. A prefix stands for the events that
 * begin so, each read backwards along its index.
 */
import { AUTH_EVENTS, type AuthAuditEntry } from '@posthorn/contracts/audit'
import type { Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import type { Pool } from '@posthorn/store/pool'
import { logRange, madeAt, placer } from './log-range.ts'
import { type LogStatement, readNewest } from './read-newest.ts'

export interface ListAuthAuditDeps {
  pool: Pool
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type AuthAuditRow = Omit<AuthAuditEntry, 'createdAt'> & { createdAt: Date }

const COLUMNS = `id, event, user_id AS "userId", subject, ip, user_agent AS "userAgent", metadata,
  created_at AS "createdAt"`

export function createListAuthAudit({
  pool,
  now,
}: ListAuthAuditDeps): Handlers<'compliance'>['listAuthAudit'] {
  return async ({ caller: { tenantId }, query: { event, subject, limit, ...span } }) => {
    const statement = authAuditStatement(tenantId, eventsOf(event), subject)
    const page = { limit: limit + 1, now: now(), oldestMs: madeAt(tenantId) }
    const rows = await readNewest<AuthAuditRow>(pool, statement, logRange(span), page)
    return toPage(rows, limit, ({ createdAt, ...entry }) => ({
      ...entry,
      createdAt: createdAt.toISOString(),
    }))
  }
}

/** undefined: all. */
function eventsOf(event: string | undefined): string[] | undefined {
  if (event === undefined) return undefined
  return event.endsWith('.') ? AUTH_EVENTS.filter((name) => name.startsWith(event)) : [event]
}

export function authAuditStatement(
  tenantId: string,
  events: string[] | undefined,
  subject: string | undefined,
): LogStatement {
  const values: unknown[] = []
  const place = placer(values)
  const conditions = [`l.tenant_id = ${place(tenantId)}`]
  if (subject !== undefined) conditions.push(`l.subject = ${place(subject)}`)
  const names = events === undefined ? undefined : place(events)
  const shape = [subject === undefined ? '' : 'subject', events === undefined ? '' : 'event']
  return {
    name: `list-auth-audit ${shape.join(' ')}`,
    values,
    text(fromId, beforeId, limit) {
      const all = [...conditions, `l.id >= ${fromId}`, `l.id < ${beforeId}`].join(' AND ')
      const order = `ORDER BY id DESC LIMIT ${limit}`
      if (names === undefined)
        return `SELECT ${COLUMNS} FROM auth_audit_logs l WHERE ${all} ${order}`
      // Who asks for a subject has few rows. Without one, two rows are the bounds in place of an
      // equal event, because only the index by event has their order: the planner, which does not
      // know which event is asked for, took the index by id, and read all rows where none was
      // of the event.
      const ofEvent =
        subject === undefined
          ? `(l.event, l.id) >= (asked.name, ${fromId}) AND (l.event, l.id) < (asked.name, ${beforeId})
          ORDER BY event DESC, id DESC LIMIT ${limit}`
          : `l.event = asked.name ${order}`
      return `SELECT found.* FROM unnest(${names}::text[]) AS asked (name), LATERAL (
          SELECT ${COLUMNS} FROM auth_audit_logs l WHERE ${all} AND ${ofEvent}
        ) found ${order}`
    },
  }
}
