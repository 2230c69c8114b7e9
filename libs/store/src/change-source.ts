/**
 * What the service writes of sources (inbound endpoints): how their requests went, and the secret
 * that a platform sent in its first one.
 */
import type { Pool } from './pool.ts'
import { recordAudit, systemAudit } from './audit/record-audit.ts'
import { withRetries } from './repeat.ts'
import { inTransaction } from './transaction.ts'

export interface SourceCounts {
  tenantId: string
  id: string
  received: number
  rejected: number
  /** Epoch ms; null: none since. */
  lastReceivedAt: number | null
  lastRejection: { at: number; reason: string } | null
}

// Rows are few and updated in place. Two instances that meet on the same rows in another order may
// deadlock: one of the statements is then repeated, having counted nothing.
const ADD = `UPDATE inbound_endpoints e SET
    received_count = e.received_count + i.n, rejected_count = e.rejected_count + i.r,
    last_received_at = greatest(e.last_received_at, to_timestamp(i.a / 1000)),
    last_rejection_reason = CASE WHEN to_timestamp(i.b / 1000) >= coalesce(e.last_rejected_at,
      '-infinity')
      THEN i.w ELSE e.last_rejection_reason END,
    last_rejected_at = greatest(e.last_rejected_at, to_timestamp(i.b / 1000))
  FROM json_to_recordset($1::json) AS i (t uuid, id uuid, n int, r int, a float8, b float8, w text)
  WHERE e.tenant_id = i.t AND e.id = i.id`

/** Adds to the counts of many sources, all in one statement. */
export async function addSourceCounts(pool: Pool, counts: readonly SourceCounts[]): Promise<void> {
  if (counts.length === 0) return
  const rows = [...counts]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ tenantId, id, received, rejected, lastReceivedAt, lastRejection }) => ({
      t: tenantId,
      id,
      n: received,
      r: rejected,
      a: lastReceivedAt,
      b: lastRejection?.at ?? null,
      w: lastRejection?.reason ?? null,
    }))
  await withRetries(() =>
    pool.query({ name: 'add-source-counts', text: ADD, values: [JSON.stringify(rows)] }),
  )
}

/** @returns false when the credentials have been changed since they were read */
export async function replaceCredentials(
  pool: Pool,
  source: { tenantId: string; id: string; credentials: string },
  credentials: string,
): Promise<boolean> {
  const { tenantId, id } = source
  const replaced = await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query({
      name: 'replace-source-credentials',
      text: `UPDATE inbound_endpoints SET credentials = $4, updated_at = now()
        WHERE tenant_id = $1 AND id = $2 AND credentials = $3`,
      values: [tenantId, id, source.credentials, credentials],
    })
    if (rowCount !== 1) return null
    const changes = [{ field: 'sourceConfig', from: null, to: 'changed' }]
    const scope = systemAudit(tenantId, 'inbound_endpoint.learn_secret')
    await recordAudit(client, scope, { resourceId: id, changes })
    return true
  })
  return replaced === true
}
