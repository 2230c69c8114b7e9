/**
 * The one way to write an audit row: in the transaction of the change that it records, so that
 * neither is there without the other. It takes a transaction of Prisma's or a client of the pool.
 */
import type { AuditAction, AuditChange, AuditScope } from '@posthorn/contracts/audit'
import { newId, timeOfId } from '@posthorn/domain/ids'
import type { Transaction } from '../prisma.ts'

export interface AuditEntry {
  /** The workspace's own where the change is the whole workspace's. */
  resourceId: string
  changes?: readonly AuditChange[]
  /** No secrets, and nothing of an event's payload: admins read it. */
  metadata?: Readonly<Record<string, unknown>>
}

interface PgClient {
  query(query: { name: string; text: string; values: unknown[] }): Promise<unknown>
}
export type AuditClient = Pick<Transaction, '$executeRawUnsafe'> | PgClient

const INSERT = `INSERT INTO audit_logs (tenant_id, id, action, resource, resource_id, actor_type,
    actor_id, actor_name, actor_user_id, metadata, ip, user_agent, request_id, created_at)
  VALUES ($1::uuid, $2::uuid, $3, $4, $5, $6, $7::uuid, $8, $9::uuid, $10::text::jsonb, $11, $12,
    $13, to_timestamp($14::float8 / 1000))`

/** Throws where the scope's route is not audited: that is a mistake of the program. */
export async function recordAudit(
  client: AuditClient,
  scope: AuditScope,
  entry: AuditEntry,
): Promise<void> {
  const { tenantId, action, actor, ip, userAgent, requestId } = scope
  if (action === null) throw new Error('the route has no `audit` in the catalog')
  const id = newId()
  const values = [
    tenantId,
    id,
    action,
    resourceOf(action),
    entry.resourceId,
    actor.type,
    actor.id,
    actor.name,
    actor.userId,
    toMetadata(entry),
    ip,
    userAgent,
    requestId,
    // The list's filter by time goes by ids, and shows this.
    timeOfId(id),
  ]
  if ('query' in client) await client.query({ name: 'record-audit', text: INSERT, values })
  else await client.$executeRawUnsafe(INSERT, ...values)
  scope.isRecorded = true
}

/** What the service does by itself. */
export function systemAudit(tenantId: string, action: AuditAction): AuditScope {
  const actor = { type: 'system', id: null, name: 'system', userId: null } as const
  const none = { ip: null, userAgent: null, requestId: null }
  return { tenantId, action, actor, ...none, isRecorded: false }
}

export function resourceOf(action: AuditAction): string {
  return action.slice(0, action.indexOf('.'))
}

/** A value longer than this, as JSON, is replaced by how long it is. */
const MAX_VALUE_CHARACTERS = 1_024
/** An endpoint has some 40 fields. */
const MAX_CHANGES = 100

/** What jsonb does not take: NUL, and half of a surrogate pair. */
const REFUSED = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi

function toMetadata({ changes, metadata = {} }: AuditEntry): string {
  const all = changes === undefined ? metadata : { ...metadata, changes: bounded(changes) }
  return JSON.stringify(all).replaceAll(REFUSED, '$1\\ufffd')
}

function bounded(changes: readonly AuditChange[]): AuditChange[] {
  return changes
    .slice(0, MAX_CHANGES)
    .map(({ field, from, to }) => ({ field, from: hintOf(from), to: hintOf(to) }))
}

function hintOf(value: unknown): unknown {
  const characters = (JSON.stringify(value) ?? 'null').length
  if (characters > MAX_VALUE_CHARACTERS) return { characters }
  return value ?? null
}
