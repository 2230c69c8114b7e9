/** People of a workspace and their sessions, which no route makes without mails. */
import type { Role } from '@posthorn/domain/roles'
import { newId } from '@posthorn/domain/ids'
import { hashSecretToken, newSecretToken } from '@posthorn/domain/secret-token'
import type { Pool } from '@posthorn/store/pool'

export async function addMember(
  pool: Pool,
  tenantId: string,
  role: Role,
  { status = 'active', domain = 'example.com' } = {},
): Promise<string> {
  const id = newId()
  await pool.query('INSERT INTO users (id, email, email_verified_at) VALUES ($1, $2, now())', [
    id,
    `${id}@${domain}`,
  ])
  await pool.query(
    'INSERT INTO memberships (tenant_id, user_id, role, status) VALUES ($1, $2, $3, $4)',
    [tenantId, id, role, status],
  )
  return id
}

/** A person's session, or one that was made from an API key. */
export async function addSession(
  pool: Pool,
  of: { tenantId: string; userId: string | null; apiKeyId: string | null },
): Promise<{ id: string; cookie: string }> {
  const [id, token] = [newId(), newSecretToken()]
  await pool.query(
    `INSERT INTO user_sessions (token_hash, id, tenant_id, user_id, api_key_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + interval '1 day')`,
    [hashSecretToken(token), id, of.tenantId, of.userId, of.apiKeyId],
  )
  return { id, cookie: `service_session=${token}` }
}
