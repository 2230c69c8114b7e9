/**
 * Writes down who signed in, how, and what went wrong, in the transaction of what happened: the
 * rows that `GET /api/v1/auth-audit` shows.
 */
import type { AuthEventName } from '@posthorn/contracts/audit'
import { newId, timeOfId } from '@posthorn/domain/ids'
import type { AuditClient } from './record-audit.ts'

export interface AuthEvent {
  event: AuthEventName
  /** null: nobody can tell the workspace. */
  tenantId: string | null
  userId: string | null
  /** An e-mail address, or the subject at an identity provider. */
  subject: string | null
  /** null: the service itself. */
  ip: string | null
  userAgent: string | null
  /** No secrets: admins read it. */
  metadata?: Record<string, string | number | boolean | null>
}

const MAX_SUBJECT_CHARACTERS = 320

const INSERT = `INSERT INTO auth_audit_logs
    (id, tenant_id, event, user_id, subject, ip, user_agent, metadata, created_at)
  VALUES ($1::uuid, $2::uuid, $3, $4::uuid, $5, $6, $7, $8::text::jsonb,
    to_timestamp($9::float8 / 1000))`

export async function recordAuthEvent(
  client: AuditClient,
  { event, tenantId, userId, subject, ip, userAgent, metadata = {} }: AuthEvent,
): Promise<void> {
  const id = newId()
  const text = subject?.slice(0, MAX_SUBJECT_CHARACTERS) ?? null
  const json = JSON.stringify(metadata)
  // The list's filter by time goes by ids, and shows this.
  const at = timeOfId(id)
  const values = [id, tenantId, event, userId, text, ip, userAgent, json, at]
  if ('query' in client) await client.query({ name: 'record-auth-event', text: INSERT, values })
  else await client.$executeRawUnsafe(INSERT, ...values)
}
