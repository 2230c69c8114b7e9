/**
 * Closes a workspace for good, and queues the job that removes all of its rows. From here on its
 * keys and sessions are refused, everywhere within two seconds, nothing is accepted for it, and its
 * endpoints are as if they were deleted.
 */
import type { Bus } from '@posthorn/bus/bus'
import type { Handlers } from '@posthorn/http/handlers'
import { badField } from '@posthorn/http/errors'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { inTransaction, type TransactionClient } from '@posthorn/store/transaction'
import { ApiError } from '@posthorn/contracts/errors'
import { queueJob } from '../subject-jobs/create-subject-job.ts'
import { toSubjectJob } from '../subject-jobs/job-record.ts'

export interface DeleteWorkspaceDeps {
  pool: Pool
  seal: Seal
  bus: Pick<Bus, 'announce'>
  /** Forgets what this process keeps of a tenant's keys and sessions. */
  forget(tenantId: string): void
  /** Epoch ms. */
  now: () => number
  onQueued(): void
}

export function createDeleteWorkspace(
  deps: DeleteWorkspaceDeps,
): Pick<Handlers<'compliance'>, 'deleteWorkspace'> {
  const { pool, seal, bus, forget, now, onQueued } = deps
  return {
    async deleteWorkspace(request) {
      const { tenantId } = request.caller
      const closed = await inTransaction(pool, async (client) => {
        await requireName(client, tenantId, request.body.confirm)
        const tenantIds = await close(client, tenantId)
        const kind = 'workspace_deletion'
        const row = await queueJob(client, request, { kind, email: null, seal })
        return row === null ? null : { row, tenantIds }
      })
      if (closed === null) {
        throw new ApiError('INVALID_STATE', 'too many jobs have not ended: wait for one of them')
      }
      forget(tenantId)
      const messages = closed.tenantIds
        .slice(0, MAX_MESSAGES)
        .map((id) => ({ v: 1 as const, tenantId: id, what: 'workspace' }))
      bus.announce('config.changed', messages)
      onQueued()
      return toSubjectJob(closed.row, seal, now())
    },
  }
}

/** Messages only save a second: caches compare versions. */
const MAX_MESSAGES = 500

async function requireName(
  client: TransactionClient,
  tenantId: string,
  confirm: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM tenants WHERE id = $1', [
    tenantId,
  ])
  if (rows[0]?.name !== confirm) throw badField('confirm', "must be the workspace's name")
}

const OF_WORKSPACE = 'tenant_id = ANY ($1::uuid[])'

/** @returns the workspace and its sub-accounts */
async function close(client: TransactionClient, tenantId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `UPDATE tenants SET deleting_since = now(), status = 'deactivated',
       config_version = config_version + 1
     WHERE id = $1 OR parent_id = $1 RETURNING id`,
    [tenantId],
  )
  const ids = rows.map(({ id }) => id)
  for (const statement of [
    `UPDATE endpoints SET deleted_at = now() WHERE ${OF_WORKSPACE} AND deleted_at IS NULL`,
    `UPDATE inbound_endpoints SET status = 'inactive' WHERE ${OF_WORKSPACE}`,
    `UPDATE api_keys SET revoked_at = now() WHERE ${OF_WORKSPACE} AND revoked_at IS NULL`,
    `DELETE FROM user_sessions WHERE ${OF_WORKSPACE}`,
  ])
    await client.query(statement, [ids])
  return ids
}
