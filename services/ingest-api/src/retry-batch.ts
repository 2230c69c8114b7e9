/**
 * POST /events/batch/retry: replays many events, chosen by id, by status or by endpoint, the oldest
 * first. Events that can't be replayed or are not the caller's count as skipped.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { DEFAULT_RETRY_BATCH, type RetryBatch } from '@posthorn/contracts/events'
import { isUuid } from '@posthorn/domain/ids'
import type { ApiRequest, Caller } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { type RecordChange, replayEvents } from '@posthorn/store/pipeline/replay-events'
import { findReplayable } from './find-replayable.ts'
import type { Pool } from '@posthorn/store/pool'
import type { Announce } from './announce.ts'
import { HAS_STATUS } from './event-record.ts'

interface BatchRetried {
  retried: number
  skipped: number
  eventIds: string[]
}

export function createRetryBatch(deps: { pool: Pool; announce: Announce }) {
  return async (request: ApiRequest<RetryBatch, undefined>): Promise<BatchRetried> => {
    const { caller, body, audit } = request
    const limit = body.limit ?? DEFAULT_RETRY_BATCH
    // Unknown ids count as skipped, and an id that is given twice counts once.
    const asked = [...new Set(body.eventIds?.map((id) => id.toLowerCase()))]
    const found = await choose(deps.pool, caller, body, asked, limit)
    const total = body.eventIds === undefined ? found.length : asked.length
    const { status = null, endpointId = null } = body
    const chosen = {
      resourceId: endpointId ?? caller.tenantId,
      metadata: { status, endpointId, events: total },
    }
    const record: RecordChange = async (client) => await recordAudit(client, audit, chosen)
    const replayed = await replayEvents(deps.pool, caller.tenantId, found, record)
    // A request that found nothing to replay is one all the same.
    if (!audit.isRecorded) await record(deps.pool)
    deps.announce.replayed(replayed)
    const retried = found.filter((id) => replayed.eventIds.has(id))
    return { retried: retried.length, skipped: total - retried.length, eventIds: retried }
  }
}

async function choose(
  pool: Pool,
  caller: Caller,
  body: RetryBatch,
  asked: readonly string[],
  limit: number,
): Promise<string[]> {
  if (body.eventIds !== undefined) {
    const own = new Set(await findByIds(pool, caller, asked.filter(isUuid)))
    return asked.filter((id) => own.has(id))
  }
  if (body.status !== undefined) return await findByStatus(pool, caller, body.status, limit)
  return await findOfEndpoint(pool, caller, body.endpointId as string, limit)
}

async function findByIds(pool: Pool, caller: Caller, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM events WHERE tenant_id = $1 AND id = ANY ($2::uuid[])
      AND ($3::uuid IS NULL OR project_id = $3)`,
    [caller.tenantId, ids, caller.projectId],
  )
  return rows.map(({ id }) => id)
}

async function findByStatus(
  pool: Pool,
  caller: Caller,
  status: 'failed' | 'dead',
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM events WHERE tenant_id = $1 AND ${HAS_STATUS[status]}
      AND ($2::uuid IS NULL OR project_id = $2)
      ORDER BY id LIMIT $3`,
    [caller.tenantId, caller.projectId, limit],
  )
  return rows.map(({ id }) => id)
}

/**
 * Events whose delivery to the endpoint can be replayed. An event has one delivery to an endpoint.
 */
async function findOfEndpoint(
  pool: Pool,
  caller: Caller,
  endpointId: string,
  limit: number,
): Promise<string[]> {
  const known = isUuid(endpointId) && (await hasEndpoint(pool, caller, endpointId))
  if (!known) throw new ApiError('NOT_FOUND', 'no endpoint has that endpointId')
  const found = await findReplayable(pool, caller.tenantId, endpointId, limit)
  return found.map(({ eventId }) => eventId)
}

async function hasEndpoint(pool: Pool, caller: Caller, endpointId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM endpoints WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
      AND ($3::uuid IS NULL OR project_id = $3)`,
    [caller.tenantId, endpointId, caller.projectId],
  )
  return rowCount === 1
}
