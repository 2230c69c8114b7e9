/** API keys with all that a request's authorisation needs, in one read. */
import type { Environment } from '@posthorn/domain/api-key'
import { planOf, projectsOf } from './caller-tenant.ts'
import type { Pool } from './pool.ts'

export interface FoundKey {
  tenantId: string
  keyId: string
  name: string
  /** The person behind the key; null: nobody knows. */
  createdByUser: string | null
  scopes: string[]
  /** Requests a second; null: none. */
  rateLimit: number | null
  /** Epoch ms; null: never. */
  expiresAt: number | null
  revoked: boolean
  /** Set when the key is bound to a project. */
  keyProjectId: string | null
  /** The plan of the subscription in force; null: there is none. */
  plan: string | null
  /** All projects of the tenant, the default one first. */
  projects: { id: string; environment: Environment }[]
}

/** @param digests SHA-256 in hex. @returns the keys by their digests; unknown ones are left out */
export async function findApiKeys(
  pool: Pool,
  digests: readonly string[],
): Promise<Map<string, FoundKey>> {
  const { rows } = await pool.query<FoundKey & { digest: string }>({
    name: 'find-api-keys',
    text: `SELECT encode(k.key_hash, 'hex') AS digest, k.tenant_id AS "tenantId", k.id AS "keyId",
        k.name, k.created_by_user AS "createdByUser",
        k.scopes, k.rate_limit AS "rateLimit",
        extract(epoch FROM k.expires_at)::float8 * 1000 AS "expiresAt",
        k.revoked_at IS NOT NULL AS revoked, k.project_id AS "keyProjectId",
        ${projectsOf('k.tenant_id')} AS projects, ${planOf('k.tenant_id')} AS plan
      FROM api_keys k
      JOIN tenants t ON t.id = k.tenant_id AND t.deleting_since IS NULL
      WHERE k.key_hash = ANY($1::bytea[])`,
    values: [digests.map((digest) => Buffer.from(digest, 'hex'))],
  })
  return new Map(rows.map(({ digest, ...key }) => [digest, key]))
}
