/** Queues the export or the erasure of what refers to a person. */
import type { SubjectJobKind, SubjectRequest } from '@posthorn/contracts/compliance'
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import type { ApiRequest, Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { inTransaction, type TransactionClient } from '@posthorn/store/transaction'
import { JOB_COLUMNS, placeOf, type SubjectJobRow, toSubjectJob } from './job-record.ts'
import { recordJobEvent } from './record-job-event.ts'

export interface CreateSubjectJobDeps {
  pool: Pool
  seal: Seal
  /** Epoch ms. */
  now: () => number
  /** A job waits for the runner. */
  onQueued(): void
}

/** Jobs of a workspace that have not ended: each takes its turn, and reads all there is. */
const MAX_OPEN_JOBS = 20

type CreateHandlers = Pick<Handlers<'compliance'>, 'exportSubject' | 'eraseSubject'>

export function createCreateSubjectJob(deps: CreateSubjectJobDeps): CreateHandlers {
  const { pool, seal, now, onQueued } = deps
  const queue = (kind: 'export' | 'erasure') => {
    return async (request: ApiRequest<SubjectRequest, undefined>) => {
      const email = request.body.email ?? request.body.subjectEmail ?? ''
      const row = await inTransaction(
        pool,
        async (client) => await queueJob(client, request, { kind, email, seal }),
      )
      if (row === null) {
        const message = `the workspace has ${MAX_OPEN_JOBS} jobs that have not ended: wait for one`
        throw new ApiError('INVALID_STATE', message)
      }
      onQueued()
      return toSubjectJob(row, seal, now())
    }
  }
  return { exportSubject: queue('export'), eraseSubject: queue('erasure') }
}

interface NewJob {
  kind: SubjectJobKind
  /** null: the whole workspace. */
  email: string | null
  seal: Seal
}

/** @returns null: too many jobs have not ended */
export async function queueJob(
  client: TransactionClient,
  { caller, audit }: Pick<ApiRequest<unknown, undefined>, 'caller' | 'audit'>,
  { kind, email, seal }: NewJob,
): Promise<SubjectJobRow | null> {
  const { tenantId, user } = caller
  const id = newId()
  const sealed = email === null ? null : seal.seal(email, placeOf({ tenantId, id }))
  const { rows } = await client.query<SubjectJobRow>(
    `INSERT INTO subject_jobs AS j (tenant_id, id, kind, subject_email, requested_by)
     SELECT $1, $2, $3, $4, $5 WHERE ${MAX_OPEN_JOBS} > (
       SELECT count(*) FROM subject_jobs WHERE tenant_id = $1 AND lease_until IS NOT NULL)
     RETURNING ${JOB_COLUMNS}`,
    [tenantId, id, kind, sealed, user?.id ?? null],
  )
  const [row] = rows
  if (row === undefined) return null
  const { ip, userAgent } = audit
  const who = { userId: user?.id ?? null, ip, userAgent, subject: email ?? user?.email ?? null }
  await recordJobEvent(client, { tenantId, jobId: id, kind, station: 'queued', ...who })
  // Without the address: the row would have to be erased with it.
  await recordAudit(client, audit, { resourceId: id, metadata: { kind } })
  return row
}
