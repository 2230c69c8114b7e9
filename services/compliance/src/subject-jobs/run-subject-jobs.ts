/**
 * Works off jobs for data subjects, one step after another. A job is one runner's at a time, by its
 * lease and its epoch; what a step has done is written together with where the next begins, so
 * whoever takes the job over goes on there. A job gives way to the next after two seconds, and
 * rests after each step for as long as the step took: the pipeline comes first.
 *
 * A step may be repeated when its process dies before it is written down: erasing twice changes
 * nothing, and pieces of a document are written with the position.
 */
import type { SubjectJobKind } from '@posthorn/contracts/compliance'
import type { Log } from '@posthorn/runtime/log'
import { isUnavailable, type Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { inTransaction, type TransactionClient } from '@posthorn/store/transaction'
import { removalStep, type RemovalPosition } from '../workspace/remove-workspace.ts'
import { eraseStep, type ErasurePosition } from './erase-subject.ts'
import { exportStep, type ExportPosition } from './export-subject.ts'
import { createSubject, type Subject } from './find-references.ts'
import { placeOf } from './job-record.ts'
import type { JobStep } from './job-step.ts'
import { recordAudit, systemAudit } from '@posthorn/store/audit/record-audit'
import { recordJobEvent } from './record-job-event.ts'

export interface RunSubjectJobsDeps {
  pool: Pool
  seal: Pick<Seal, 'open'>
  log: Pick<Log, 'info' | 'warn'>
  /** Resolves after so many ms. */
  rest(ms: number): Promise<unknown>
  /** How long a deletion waits for what is under way, where it is not the usual time. */
  pauseMs?: number
}

type Position = ExportPosition | ErasurePosition | RemovalPosition

interface LeasedJob {
  tenantId: string
  id: string
  kind: SubjectJobKind
  subjectEmail: string | null
  position: Position | null
  failures: number
  requestedBy: string | null
  /** Guards every write of this runner. */
  epoch: number
}

const LEASE = `interval '60 seconds'`
const TURN_MS = 2_000
const MAX_REST_MS = 1_000
const MAX_FAILURES = 5
/** Doubles with each failure in a row, up to an hour. */
const RETRY_MS = 2_000
const MAX_RETRY_MS = 3_600_000

/** @returns a round, which answers whether there is more to do at once */
export function createRunSubjectJobs(deps: RunSubjectJobsDeps): () => Promise<boolean> {
  const { pool, log, rest } = deps

  return async () => {
    const job = await takeJob(pool)
    if (job === null) return false
    try {
      const subject = subjectOf(job, deps.seal)
      for (const until = performance.now() + TURN_MS; performance.now() < until; ) {
        const startedAt = performance.now()
        const step = await runStep(deps, job, subject)
        const isOurs = await saveStep(pool, job, step, subject)
        if (!isOurs || step.position === null) {
          log.info('subject-job.left', { jobId: job.id, kind: job.kind, isOurs })
          return true
        }
        job.position = step.position
        if (step.waitMs !== undefined) {
          await giveBack(pool, job, step.waitMs)
          return true
        }
        await rest(Math.min(MAX_REST_MS, performance.now() - startedAt))
      }
      await giveBack(pool, job, 0)
    } catch (error) {
      if (isUnavailable(error)) throw error
      log.warn('subject-job.failed', { jobId: job.id, kind: job.kind, error })
      await countFailure(pool, job, deps.seal)
    }
    return true
  }
}

const NOBODY: Subject = { email: '', matcher: createSubject('').matcher }

function subjectOf({ tenantId, id, subjectEmail }: LeasedJob, seal: Pick<Seal, 'open'>): Subject {
  if (subjectEmail === null) return NOBODY
  return createSubject(seal.open(subjectEmail, placeOf({ tenantId, id })))
}

async function runStep(
  { pool, pauseMs }: RunSubjectJobsDeps,
  { kind, tenantId, position }: LeasedJob,
  subject: Subject,
): Promise<JobStep<Position>> {
  switch (kind) {
    case 'export':
      return await exportStep(pool, tenantId, position as ExportPosition | null, subject)
    case 'erasure':
      return await eraseStep(pool, tenantId, position as ErasurePosition | null, subject)
    case 'workspace_deletion':
      return await removalStep(pool, tenantId, position as RemovalPosition | null, pauseMs)
  }
}

/** The job that was looked at longest ago, so that none waits for the end of another's. */
async function takeJob(pool: Pool): Promise<LeasedJob | null> {
  const { rows } = await pool.query<LeasedJob>({
    name: 'take-subject-job',
    text: `UPDATE subject_jobs j SET lease_until = now() + ${LEASE}, epoch = j.epoch + 1,
        status = 'running'
      FROM (
        SELECT tenant_id, id FROM subject_jobs WHERE lease_until <= now()
        ORDER BY lease_until LIMIT 1
      ) next
      WHERE j.tenant_id = next.tenant_id AND j.id = next.id AND j.lease_until <= now()
      RETURNING j.tenant_id AS "tenantId", j.id, j.kind, j.subject_email AS "subjectEmail",
        j.position, j.failures, j.requested_by AS "requestedBy", j.epoch::float8 AS epoch`,
  })
  return rows[0] ?? null
}

/** When a job may be taken next, in ms from now; Infinity: none waits, and none is run. */
export async function nextJobInMs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ inMs: number }>({
    name: 'next-subject-job',
    text: `SELECT extract(epoch FROM lease_until - now())::float8 * 1000 AS "inMs"
      FROM subject_jobs WHERE lease_until IS NOT NULL ORDER BY lease_until LIMIT 1`,
  })
  return rows[0]?.inMs ?? Number.POSITIVE_INFINITY
}

/** @returns false: another runner has taken the job over, and nothing was written */
async function saveStep(
  pool: Pool,
  job: LeasedJob,
  { position, done, total, pieces = [] }: JobStep<Position>,
  subject: Subject,
): Promise<boolean> {
  const saved = await inTransaction(pool, async (client) => {
    const isLast = position === null
    const { rowCount } = await client.query(
      `UPDATE subject_jobs SET position = $4::jsonb, done = done + $5,
         total = CASE WHEN $6 THEN $7::bigint ELSE total END, failures = 0,
         status = CASE WHEN $8 THEN 'completed' ELSE status END,
         completed_at = CASE WHEN $8 THEN now() END,
         lease_until = CASE WHEN $8 THEN NULL ELSE now() + ${LEASE} END
       WHERE tenant_id = $1 AND id = $2 AND epoch = $3 AND lease_until IS NOT NULL`,
      [
        ...keyOf(job),
        isLast ? null : JSON.stringify(position),
        done,
        total !== undefined,
        total ?? null,
        isLast,
      ],
    )
    if (rowCount !== 1) return null
    for (const { section, number, content } of pieces) {
      await client.query(
        `INSERT INTO subject_export_pieces (tenant_id, job_id, section, number, content)
         VALUES ($1, $2, $3, $4, $5)`,
        [job.tenantId, job.id, section, number, content],
      )
    }
    if (isLast) await recordEnd(client, job, 'completed', subject.email)
    return true
  })
  return saved === true
}

function keyOf({ tenantId, id, epoch }: LeasedJob): [string, string, number] {
  return [tenantId, id, epoch]
}

async function recordEnd(
  client: TransactionClient,
  { tenantId, id: jobId, kind, requestedBy: userId }: LeasedJob,
  station: 'completed' | 'failed',
  email: string,
): Promise<void> {
  const subject = email === '' ? null : email
  const event = { tenantId, jobId, kind, station, userId, subject, ip: null, userAgent: null }
  await recordJobEvent(client, event)
  // Nothing else is left of a workspace that was deleted.
  if (kind === 'workspace_deletion') return
  const action = station === 'completed' ? 'subject_job.complete' : 'subject_job.fail'
  const metadata = { kind }
  await recordAudit(client, systemAudit(tenantId, action), { resourceId: jobId, metadata })
}

async function giveBack(pool: Pool, job: LeasedJob, waitMs: number): Promise<void> {
  await pool.query(
    `UPDATE subject_jobs SET lease_until = now() + $4 * interval '1 millisecond'
     WHERE tenant_id = $1 AND id = $2 AND epoch = $3 AND lease_until IS NOT NULL`,
    [...keyOf(job), waitMs],
  )
}

/**
 * A mistake of ours, or data that nobody expected: it is tried again, and given up in the end. A
 * deletion is not: nobody could ask for it again, for the workspace lets nobody in any more.
 */
async function countFailure(pool: Pool, job: LeasedJob, seal: Pick<Seal, 'open'>): Promise<void> {
  const isLast = job.failures + 1 >= MAX_FAILURES && job.kind !== 'workspace_deletion'
  if (!isLast) {
    await pool.query(
      `UPDATE subject_jobs SET failures = failures + 1,
         lease_until = now() + $4 * interval '1 millisecond'
       WHERE tenant_id = $1 AND id = $2 AND epoch = $3 AND lease_until IS NOT NULL`,
      [...keyOf(job), Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** job.failures)],
    )
    return
  }
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE subject_jobs SET status = 'failed', error = $4, completed_at = now(),
         lease_until = NULL
       WHERE tenant_id = $1 AND id = $2 AND epoch = $3 AND lease_until IS NOT NULL`,
      [...keyOf(job), `it failed ${MAX_FAILURES} times in a row; the log tells why`],
    )
    if (rowCount !== 1) return null
    await recordEnd(client, job, 'failed', emailOf(job, seal))
    return true
  })
}

/** Sealed under a master key that is not given, the address is unknown. */
function emailOf(job: LeasedJob, seal: Pick<Seal, 'open'>): string {
  try {
    return subjectOf(job, seal).email
  } catch {
    return ''
  }
}
