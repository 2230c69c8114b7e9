/** SCIM tokens in force, by their digests, and when each was last used. */
import { planOf } from './caller-tenant.ts'
import type { Pool } from './pool.ts'

export interface StoredScimToken {
  tenantId: string
  tokenId: string
  /** The plan of the subscription in force; null: there is none. */
  plan: string | null
}

/** @param digests SHA-256 in hex */
export async function findScimTokens(
  pool: Pool,
  digests: readonly string[],
): Promise<Map<string, StoredScimToken>> {
  // The look-up is made at most once a second for a token, so it is where its use is written down.
  const { rows } = await pool.query<StoredScimToken & { digest: string }>({
    name: 'find-scim-tokens',
    text: `UPDATE scim_tokens SET last_used_at = now()
      WHERE token_hash = ANY($1::bytea[]) AND revoked_at IS NULL AND EXISTS (
        SELECT FROM tenants t WHERE t.id = scim_tokens.tenant_id AND t.deleting_since IS NULL)
      RETURNING encode(token_hash, 'hex') AS digest, tenant_id AS "tenantId", id AS "tokenId",
        ${planOf('scim_tokens.tenant_id')} AS plan`,
    values: [digests.map((digest) => Buffer.from(digest, 'hex'))],
  })
  return new Map(rows.map(({ digest, ...token }) => [digest, token]))
}
