/**
 * GET /audit-logs: who changed what. Each filter has an index, read backwards; an actor has two:
 * what they did themselves, and what the keys did that they made.
 */
import type { AuditLog, AuditLogQuery } from '@posthorn/contracts/audit'
import { isUuid } from '@posthorn/domain/ids'
import type { Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import type { Pool } from '@posthorn/store/pool'
import { logRange, madeAt, placer } from './log-range.ts'
import { type LogStatement, readNewest } from './read-newest.ts'

export interface ListAuditLogsDeps {
  pool: Pool
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

interface AuditLogRow {
  id: string
  resource: string
  resourceId: string | null
  action: string
  actorType: AuditLog['actor']['type']
  actorId: string | null
  actorName: string | null
  actorUserId: string | null
  metadata: AuditLog['metadata']
  ip: string | null
  userAgent: string | null
  requestId: string | null
  createdAt: Date
}

const COLUMNS = `id, resource, resource_id AS "resourceId", action, actor_type AS "actorType",
  actor_id AS "actorId", actor_name AS "actorName", actor_user_id AS "actorUserId", metadata, ip,
  user_agent AS "userAgent", request_id AS "requestId", created_at AS "createdAt"`

export function createListAuditLogs({
  pool,
  now,
}: ListAuditLogsDeps): Handlers<'compliance'>['listAuditLogs'] {
  return async ({ caller: { tenantId }, query }) => {
    const range = logRange(query)
    const actor = await findActor(pool, query.actor)
    const what = whatOf(query)
    const none = actor === null || what === null
    const page = { limit: query.limit + 1, now: now(), oldestMs: madeAt(tenantId) }
    const rows = none
      ? []
      : await readNewest<AuditLogRow>(pool, auditLogStatement(tenantId, what, actor), range, page)
    return toPage(rows, query.limit, toAuditLog)
  }
}

/** The column and the value that `resource` and `action` come to. */
type AuditedThing = { resource: string } | { action: string } | Record<string, never>

/**
 * An action has one dot: what begins with `endpoint.` is of the resource `endpoint`, and nothing
 * begins with two dots. null: nothing can pass.
 */
function whatOf({ resource, action }: AuditLogQuery): AuditedThing | null {
  if (action === undefined) return resource === undefined ? {} : { resource }
  const [ofAction = '', verb, ...more] = action.split('.')
  if (verb === undefined || more.length > 0) return null
  if (resource !== undefined && resource !== ofAction) return null
  return verb === '' ? { resource: ofAction } : { action }
}

type Actor = { id: string } | 'system' | 'any'

/** null: nobody has the address. */
async function findActor(pool: Pool, given: string | undefined): Promise<Actor | null> {
  if (given === undefined) return 'any'
  if (given === 'system') return 'system'
  if (isUuid(given)) return { id: given }
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM users WHERE lower(email) = lower($1)',
    [given],
  )
  return rows[0] ?? null
}

export function auditLogStatement(
  tenantId: string,
  what: AuditedThing,
  actor: Actor,
): LogStatement {
  const values: unknown[] = []
  const place = placer(values)
  const columns = Object.entries({ tenant_id: tenantId, ...what })
  const conditions = columns.map(([column, value]) => `${column} = ${place(value)}`)
  const branches = actorBranches(actor, place)
  const shape = [...Object.keys(what), typeof actor === 'string' ? actor : 'actor'].join(' ')
  return {
    name: `list-audit-logs ${shape}`,
    values,
    text(fromId, beforeId, limit) {
      const range = `id >= ${fromId} AND id < ${beforeId}`
      const newest = branches.map(({ condition, order }) => {
        const all = [...conditions, ...condition, range].join(' AND ')
        return `(SELECT ${COLUMNS} FROM audit_logs WHERE ${all} ORDER BY ${order} LIMIT ${limit})`
      })
      if (newest.length === 1) return newest[0] as string
      // What somebody did themselves is in both: as actor, and as the person.
      return `${newest.join(' UNION ')} ORDER BY id DESC LIMIT ${limit}`
    },
  }
}

interface ActorBranch {
  condition: string[]
  order: string
}

/** Conditions of which one must hold, each with the order of an index of its own. */
function actorBranches(actor: Actor, place: (value: unknown) => string): ActorBranch[] {
  const order = 'id DESC'
  if (actor === 'any') return [{ condition: [], order }]
  // Nobody else has no id. The planner does not see that the first column is always the same.
  if (actor === 'system')
    return [{ condition: ['actor_id IS NULL'], order: 'actor_id DESC, id DESC' }]
  const id = place(actor.id)
  return [`actor_id = ${id}`, `actor_user_id = ${id}`].map((one) => ({ condition: [one], order }))
}

function toAuditLog(row: AuditLogRow): AuditLog {
  const { actorType, actorId, actorName, createdAt, ...plain } = row
  return {
    ...plain,
    actor: { type: actorType, id: actorId, name: actorName },
    createdAt: createdAt.toISOString(),
  }
}
