/**
 * What a 410 does: the endpoint gets no more attempts until somebody resumes it. Only the version
 * that answered so is disabled, and only while it is active: a later version may point elsewhere.
 * The same transaction writes the operational event that tells of it, its audit row, and mails to
 * administrators.
 */
import { endpointDisabled } from '@posthorn/domain/operational-events'
import { recordAudit, systemAudit } from './audit/record-audit.ts'
import { mailAdmins } from './mails.ts'
import { publishOperationalEvents } from './pipeline/operational-events.ts'
import type { Pool } from './pool.ts'
import { withRetries } from './repeat.ts'
import { inTransaction } from './transaction.ts'

export interface DisabledEndpoint {
  tenantId: string
  projectId: string
  endpointId: string
  version: number
  url: string
  reason: string
}

/** @returns whether this call did it; the caller announces the change */
export async function disableEndpoint(pool: Pool, endpoint: DisabledEndpoint): Promise<boolean> {
  const { tenantId, endpointId, version, reason } = endpoint
  const disabled = await withRetries(() =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ at: number }>({
        name: 'disable-endpoint',
        text: DISABLE,
        values: [tenantId, endpointId, version, reason],
      })
      const [row] = rows
      if (row === undefined) return null
      await publishOperationalEvents(client, [
        endpointDisabled(endpoint, { ...endpoint, atMs: row.at }),
      ])
      await recordAudit(client, systemAudit(tenantId, 'endpoint.disable'), {
        resourceId: endpointId,
        changes: [{ field: 'status', from: 'active', to: 'disabled' }],
        metadata: { reason, version },
      })
      await mailAdmins(
        (text, values) => client.query({ name: 'mail-admins', text, values: [...values] }),
        tenantId,
        'endpoint_disabled',
        { url: endpoint.url, link: `/dashboard/endpoints/${endpointId}` },
      )
      return true
    }),
  )
  return disabled === true
}

const DISABLE = `WITH disabled AS (
  UPDATE endpoints SET status = 'disabled', disabled_reason = $4, updated_at = now()
  WHERE tenant_id = $1 AND id = $2 AND version = $3 AND status = 'active' AND deleted_at IS NULL
  RETURNING tenant_id, updated_at
)
UPDATE tenants t SET config_version = config_version + 1 FROM disabled d WHERE t.id = d.tenant_id
RETURNING micros(d.updated_at) / 1000 AS at`
