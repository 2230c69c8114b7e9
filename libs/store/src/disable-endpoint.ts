/**
 * What a 410 does: the endpoint gets no more tries until somebody resumes it. Only the version that answered so is
 * disabled, and only while it is active: one that has been changed since points elsewhere, perhaps.
 */
import type { Pool } from './pool.ts'
import { repeating } from './repeat.ts'

export interface DisabledEndpoint {
  tenantId: string
  endpointId: string
  version: number
  reason: string
}

/** @returns when this call did it, in ms since 1970, and null when it did not; the caller announces the change */
export async function disableEndpoint(
  pool: Pool,
  endpoint: DisabledEndpoint,
): Promise<number | null> {
  const { tenantId, endpointId, version, reason } = endpoint
  const { rows } = await repeating(() =>
    pool.query<{ at: number }>({
      name: 'disable-endpoint',
      text: `WITH disabled AS (
          UPDATE endpoints SET status = 'disabled', disabled_reason = $4, updated_at = now()
          WHERE tenant_id = $1 AND id = $2 AND version = $3 AND status = 'active' AND deleted_at IS NULL
          RETURNING tenant_id, updated_at
        )
        UPDATE tenants t SET config_version = config_version + 1 FROM disabled d WHERE t.id = d.tenant_id
        RETURNING micros(d.updated_at) / 1000 AS at`,
      values: [tenantId, endpointId, version, reason],
    }),
  )
  return rows[0]?.at ?? null
}
