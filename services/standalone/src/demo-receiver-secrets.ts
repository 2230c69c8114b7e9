/**
 * The secrets that a delivery to the demo receiver may be signed with: every tenant's global one,
 * and those of the endpoints that point at it, with former ones while their grace period lasts.
 * Cached for a second.
 */
import type { Pool } from '@posthorn/store/pool'
import { type Seal, sealedAt, type SealedColumn } from '@posthorn/store/seal'

const CACHE_MS = 1_000
/** The demo receiver is for trying things out, so a handful of secrets is enough. */
const MAX_SECRETS = 200

export function createDemoReceiverSecrets(
  pool: Pool,
  seal: Seal,
): (name: string) => Promise<string[]> {
  const cached = new Map<string, { secrets: string[]; readAt: number }>()

  return async (name) => {
    const known = cached.get(name)
    if (known !== undefined && performance.now() - known.readAt < CACHE_MS) return known.secrets
    const readAt = performance.now()
    const { rows } = await pool.query<SecretRow>({
      name: 'receiver-secrets',
      text: READ,
      values: [name],
    })
    const secrets = rows.map((row) =>
      seal.open(row.secret, sealedAt(row.column, row.tenant_id, row.id)),
    )
    if (cached.size >= MAX_SECRETS) cached.clear()
    cached.set(name, { secrets, readAt })
    return secrets
  }
}

interface SecretRow {
  secret: string
  column: SealedColumn
  tenant_id: string
  id: string
}

const READ = `WITH secrets AS (
  SELECT 'tenants.' AS of_table, id AS tenant_id, id, signing_secret AS current,
    previous_signing_secret AS previous,
    previous_valid_until AS until FROM tenants
  UNION ALL
  SELECT 'endpoints.', tenant_id, id, signing_secret, previous_signing_secret, previous_valid_until
    FROM endpoints
  WHERE deleted_at IS NULL AND config ->> 'url' LIKE '%/receiver/' || $1 || '%'
)
SELECT current AS secret, of_table || 'signing_secret' AS column, tenant_id, id
FROM secrets WHERE current IS NOT NULL
UNION SELECT previous, of_table || 'previous_signing_secret', tenant_id, id FROM secrets
  WHERE previous IS NOT NULL AND until > now()
LIMIT ${MAX_SECRETS}`
