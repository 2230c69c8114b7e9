/** An API key with all that a request's authorisation needs, in one read. */
import type { Environment } from '@posthorn/domain/api-key'
import type { Pool } from './pool.ts'

export interface FoundKey {
  tenantId: string
  keyId: string
  scopes: string[]
  /** Requests a second; null: none. */
  rateLimit: number | null
  /** Epoch ms; null: never. */
  expiresAt: number | null
  revoked: boolean
  /** Set when the key is bound to a project. */
  keyProjectId: string | null
  /** All of the tenant's, the default one first. */
  projects: { id: string; environment: Environment }[]
}

export async function findApiKey(pool: Pool, hash: Buffer): Promise<FoundKey | null> {
  const { rows } = await pool.query<FoundKey>({
    name: 'find-api-key',
    text: `SELECT k.tenant_id AS "tenantId", k.id AS "keyId", k.scopes, k.rate_limit AS "rateLimit",
        extract(epoch FROM k.expires_at)::float8 * 1000 AS "expiresAt", k.revoked_at IS NOT NULL AS revoked,
        k.project_id AS "keyProjectId", p.projects
      FROM api_keys k, LATERAL (
        SELECT json_agg(json_build_object('id', id, 'environment', environment) ORDER BY is_default DESC) AS projects
        FROM projects WHERE tenant_id = k.tenant_id
      ) p WHERE k.key_hash = $1`,
    values: [hash],
  })
  return rows[0] ?? null
}
