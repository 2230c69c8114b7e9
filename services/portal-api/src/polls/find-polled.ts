/** Finds the endpoint that a poll names: it must be the caller's own, and in poll mode. */
import { ApiError } from '@posthorn/contracts/errors'
import type { Caller } from '@posthorn/http/handlers'
import type { Pool } from '@posthorn/store/pool'
import { notFound } from '../refusals.ts'

export interface PolledEndpoint {
  customHeaders: Record<string, string> | null
}

export async function findPolled(
  pool: Pool,
  caller: Caller,
  endpointId: string,
): Promise<PolledEndpoint> {
  const { rows } = await pool.query<PolledEndpoint & { mode: string }>({
    name: 'find-polled',
    text: `SELECT delivery_mode AS mode, config -> 'customHeaders' AS "customHeaders" FROM endpoints
      WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
        AND ($3::uuid IS NULL OR project_id = $3)`,
    values: [caller.tenantId, endpointId, caller.projectId],
  })
  const [row] = rows
  if (row === undefined) throw notFound('endpoint')
  if (row.mode !== 'poll') {
    throw new ApiError('INVALID_STATE', `the endpoint's deliveryMode is ${row.mode}, not poll`)
  }
  return row
}
