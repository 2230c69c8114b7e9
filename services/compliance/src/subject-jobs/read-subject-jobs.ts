/** Reads the jobs of a workspace, and streams the document of an export. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ApiError } from '@posthorn/contracts/errors'
import { type Handlers, streamReply } from '@posthorn/http/handlers'
import { decodeCursor, toPage } from '@posthorn/http/page'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { isDownloadable, JOB_COLUMNS, type SubjectJobRow, toSubjectJob } from './job-record.ts'

export interface ReadSubjectJobsDeps {
  pool: Pool
  seal: Pick<Seal, 'open'>
  /** Epoch ms. */
  now: () => number
}

type ReadHandlers = Pick<
  Handlers<'compliance'>,
  'listSubjectJobs' | 'getSubjectJob' | 'downloadSubjectExport'
>

export function createReadSubjectJobs({ pool, seal, now }: ReadSubjectJobsDeps): ReadHandlers {
  async function find(tenantId: string, id: string): Promise<SubjectJobRow> {
    const { rows } = await pool.query<SubjectJobRow>(
      `SELECT ${JOB_COLUMNS} FROM subject_jobs j WHERE j.tenant_id = $1 AND j.id = $2`,
      [tenantId, id],
    )
    const [row] = rows
    if (row === undefined) throw new ApiError('NOT_FOUND', 'there is no such job')
    return row
  }

  return {
    async listSubjectJobs({ caller: { tenantId }, query: { limit, cursor } }) {
      const { rows } = await pool.query<SubjectJobRow>(
        `SELECT ${JOB_COLUMNS} FROM subject_jobs j
         WHERE j.tenant_id = $1 AND ($2::uuid IS NULL OR j.id < $2) ORDER BY j.id DESC LIMIT $3`,
        [tenantId, decodeCursor(cursor), limit + 1],
      )
      return toPage(rows, limit, (row) => toSubjectJob(row, seal, now()))
    },

    async getSubjectJob({ caller: { tenantId }, params }) {
      return toSubjectJob(await find(tenantId, params['id'] ?? ''), seal, now())
    },

    async downloadSubjectExport({ caller: { tenantId }, params }) {
      const row = await find(tenantId, params['id'] ?? '')
      if (row.kind !== 'export') throw new ApiError('NOT_FOUND', 'this job has no document')
      if (row.status !== 'completed') {
        throw new ApiError('INVALID_STATE', `the export is ${row.status}, not completed`)
      }
      if (!isDownloadable(row, now())) {
        throw new ApiError('NOT_FOUND', 'the document of this export is not kept any more')
      }
      return streamReply(`export-${row.id}.json`, readDocument(pool, row))
    },
  }
}

const unpack = promisify(gunzip)

/** The arrays of the document, in the order of their sections. */
const SECTIONS = ['events', 'delivery_attempts', 'audit_logs'] as const
export const SECTION = { events: 0, attempts: 1, auditLogs: 2 } as const

async function* readDocument(
  pool: Pool,
  { tenantId, id, completedAt }: SubjectJobRow,
): AsyncGenerator<string> {
  const head = {
    schema_version: 1,
    client_id: tenantId,
    exported_at: completedAt?.toISOString() ?? '',
  }
  yield JSON.stringify(head).slice(0, -1)
  for (const [section, name] of SECTIONS.entries()) {
    yield `,"${name}":[`
    for (let number = 0; ; number += 1) {
      const { rows } = await pool.query<{ content: Buffer }>(
        `SELECT content FROM subject_export_pieces
         WHERE tenant_id = $1 AND job_id = $2 AND section = $3 AND number = $4`,
        [tenantId, id, section, number],
      )
      const [piece] = rows
      if (piece === undefined) break
      yield `${number === 0 ? '' : ','}${(await unpack(piece.content)).toString('utf8')}`
    }
    yield ']'
  }
  yield '}'
}
