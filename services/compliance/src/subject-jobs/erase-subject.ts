/**
 * One step of an erasure: a page of rows is looked at, and what refers to the person is erased. A
 * step that is repeated finds nothing left to do. Events that could not be erased yet, because the
 * head of their lane is being sent, are kept in the position and tried again.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { eraseAttempts, type ErasedEvent, eraseEvents } from '@posthorn/store/pipeline/erase-events'
import type { Pool } from '@posthorn/store/pool'
import { inTransaction } from '@posthorn/store/transaction'
import { type CountPosition, countStep, isCounting } from './count-rows.ts'
import { FIRST_ID, type FoundRow, refers, type Subject, textsSql } from './find-references.ts'
import type { JobStep } from './job-step.ts'
import { ATTEMPT_TEXT, EVENT_TEXT, EVENTS, TABLES } from './subject-tables.ts'
import { BEGINNING, walk, type WalkPosition } from './walk.ts'

export type ErasurePosition = CountPosition | ErasingPosition

interface ErasingPosition extends WalkPosition {
  /** Events that could not be erased yet: tenant and id. */
  postponed: [string, string][]
  /** How far the export after `after` was looked at: section and number; null: not at all. */
  piece: [number, number] | null
  /** Which of the letters `after` is of; none: the first. */
  letters?: number
}

/** With more than so many, the walk waits for them. */
const MAX_POSTPONED = 200
/** An attempt takes up to 30 s. */
const POSTPONED_WAIT_MS = 1_000
/** After that those that are left are looked at by the next step: a job's lease is a minute. */
const RETRY_MS = 5_000
/** After the tables of the walk: mails and invitations, then earlier exports, then what waits. */
const EXTRA = { letters: TABLES.length, exports: TABLES.length + 1, postponed: TABLES.length + 2 }

export async function eraseStep(
  pool: Pool,
  workspaceId: string,
  position: ErasurePosition | null,
  subject: Subject,
): Promise<JobStep<ErasurePosition>> {
  if (isCounting(position)) {
    const first: ErasingPosition = { ...BEGINNING, postponed: [], piece: null }
    return await countStep(pool, workspaceId, { position, tables: TABLES }, first)
  }
  const { table: at, postponed } = position
  if (at === EXTRA.postponed || postponed.length > MAX_POSTPONED) {
    return await retryPostponed(pool, position, subject)
  }
  const next = { ...position, table: at + 1, tenantId: null, after: FIRST_ID }
  if (at === EXTRA.letters) {
    const { after, letters = 0 } = position
    const looked = await eraseLetters(pool, workspaceId, { letters, after }, subject)
    return { position: looked === null ? next : { ...position, ...looked }, done: 0 }
  }
  if (at === EXTRA.exports) {
    const looked = await eraseExport(pool, workspaceId, position, subject)
    return { position: looked === null ? next : { ...position, ...looked }, done: 0 }
  }
  const table = TABLES[at] ?? EVENTS
  const step = await walk<FoundRow>(pool, workspaceId, { position, table }, subject)
  if (step === null) return { position: next, done: 0 }
  const { tenantId, page } = step
  const left = await eraseRows(pool, tenantId, { table: table.name, rows: page.rows }, subject)
  const more = left.map((id): [string, string] => [tenantId, id])
  return {
    position: { ...position, ...step.next, postponed: [...postponed, ...more] },
    done: page.scanned,
  }
}

interface RowsOfTable {
  table: (typeof TABLES)[number]['name']
  rows: readonly FoundRow[]
}

/** @returns the ids of events that could not be erased yet */
async function eraseRows(
  pool: Pool,
  tenantId: string,
  { table, rows }: RowsOfTable,
  subject: Subject,
): Promise<string[]> {
  if (rows.length === 0) return []
  if (table === 'events') {
    const events = await Promise.all(rows.map((row) => toErasedEvent(row, subject)))
    return await eraseEvents(pool, tenantId, events)
  }
  if (table === 'attempts') {
    const attempts = await Promise.all(
      rows.map(async ({ id, texts }) => ({
        id,
        isByUrl: await refersAt(texts, ATTEMPT_TEXT.url, subject),
        isByError: await refersAt(texts, ATTEMPT_TEXT.error, subject),
      })),
    )
    await eraseAttempts(pool, tenantId, attempts)
    return []
  }
  await pool.query('DELETE FROM audit_logs WHERE tenant_id = $1 AND id = ANY ($2::uuid[])', [
    tenantId,
    rows.map(({ id }) => id),
  ])
  return []
}

async function toErasedEvent({ id, texts }: FoundRow, subject: Subject): Promise<ErasedEvent> {
  return {
    id,
    isByKey: await refersAt(texts, EVENT_TEXT.key, subject),
    isByDestination: await refersAt(texts, EVENT_TEXT.destination, subject),
    isByTrace: await refersAt(texts, EVENT_TEXT.trace, subject),
    isByReason: await refersAt(texts, EVENT_TEXT.reason, subject),
  }
}

async function refersAt(texts: FoundRow['texts'], at: number, subject: Subject): Promise<boolean> {
  return await refers([texts[at] ?? null], subject)
}

async function retryPostponed(
  pool: Pool,
  position: ErasingPosition,
  subject: Subject,
): Promise<JobStep<ErasurePosition>> {
  const until = performance.now() + RETRY_MS
  const { postponed } = position
  const left: [string, string][] = []
  let looked = 0
  for (const [tenantId, id] of postponed) {
    if (performance.now() > until) break
    looked += 1
    const { rows } = await pool.query<FoundRow>(
      `SELECT r.id, ${textsSql(EVENTS.texts)} FROM events r
       WHERE r.tenant_id = $1 AND r.id = $2`,
      [tenantId, id],
    )
    const events = await Promise.all(rows.map((row) => toErasedEvent(row, subject)))
    if ((await eraseEvents(pool, tenantId, events)).length > 0) left.push([tenantId, id])
  }
  if (looked < postponed.length || left.length > 0) {
    const next = { ...position, postponed: [...postponed.slice(looked), ...left] }
    return { position: next, done: 0, waitMs: POSTPONED_WAIT_MS }
  }
  const isLast = position.table === EXTRA.postponed
  return { position: isLast ? null : { ...position, postponed: [] }, done: 0 }
}

const OF_WORKSPACE = 'tenant_id IN (SELECT id FROM tenants WHERE id = $1 OR parent_id = $1)'
const LETTERS = [
  { table: 'mails', texts: ['recipient', 'data::text', 'last_error'] },
  { table: 'invitations', texts: ['email'] },
] as const
const LETTERS_PAGE = 500

/**
 * A page of the mails that were or will be sent to the address or tell of it, or of its
 * invitations.
 * @param letters which of `LETTERS`
 * @returns where the next page begins; null: there is none
 */
async function eraseLetters(
  pool: Pool,
  workspaceId: string,
  { letters, after }: { letters: number; after: string },
  subject: Subject,
): Promise<Pick<ErasingPosition, 'after' | 'letters'> | null> {
  const kind = LETTERS[letters]
  if (kind === undefined) return null
  const { table, texts } = kind
  const { rows } = await pool.query<FoundRow>(
    `SELECT id, ${textsSql(texts)} FROM ${table}
     WHERE ${OF_WORKSPACE} AND id > $2 ORDER BY id LIMIT ${LETTERS_PAGE}`,
    [workspaceId, after],
  )
  const found: string[] = []
  for (const row of rows) if (await refers(row.texts, subject)) found.push(row.id)
  await pool.query(`DELETE FROM ${table} WHERE ${OF_WORKSPACE} AND id = ANY ($2::uuid[])`, [
    workspaceId,
    found,
  ])
  const last = rows.at(-1)
  if (rows.length < LETTERS_PAGE || last === undefined) {
    return { letters: letters + 1, after: FIRST_ID }
  }
  return { letters, after: last.id }
}

const unpack = promisify(gunzip)
/** Some 100 ms: an export may have very many. */
const PIECES_AT_ONCE = 20

/**
 * The next export of the workspace whose document refers to the person loses the document.
 * @returns the export that was looked at, or how far; null: there is none after it
 */
async function eraseExport(
  pool: Pool,
  workspaceId: string,
  { after, piece: lookedAt }: Pick<ErasingPosition, 'after' | 'piece'>,
  subject: Subject,
): Promise<Pick<ErasingPosition, 'after' | 'piece'> | null> {
  const { rows: jobs } = await pool.query<{ id: string }>(
    `SELECT id FROM subject_jobs WHERE tenant_id = $1 AND id > $2 AND kind = 'export'
     ORDER BY id LIMIT 1`,
    [workspaceId, after],
  )
  const [job] = jobs
  if (job === undefined) return null
  const values = [workspaceId, job.id]
  let from = lookedAt ?? [-1, -1]
  for (let looks = 0; looks < PIECES_AT_ONCE; looks += 1) {
    const { rows } = await pool.query<{ section: number; number: number; content: Buffer }>(
      `SELECT section, number, content FROM subject_export_pieces
       WHERE tenant_id = $1 AND job_id = $2 AND (section, number) > ($3, $4)
       ORDER BY section, number LIMIT 1`,
      [...values, ...from],
    )
    const [piece] = rows
    if (piece === undefined) return { after: job.id, piece: null }
    if (await refers([(await unpack(piece.content)).toString('utf8')], subject)) {
      await dropDocument(pool, workspaceId, job.id)
      return { after: job.id, piece: null }
    }
    from = [piece.section, piece.number]
  }
  return { after, piece: from }
}

/**
 * An export that is under way begins anew, and finds what is left: else its document would lack
 * what these pieces had of others, and nobody would be told.
 */
async function dropDocument(pool: Pool, workspaceId: string, jobId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    // First, because who writes the next piece has locked this row.
    await client.query(
      `UPDATE subject_jobs SET position = NULL, done = 0, epoch = epoch + 1, lease_until = now()
       WHERE tenant_id = $1 AND id = $2 AND lease_until IS NOT NULL`,
      [workspaceId, jobId],
    )
    await client.query('DELETE FROM subject_export_pieces WHERE tenant_id = $1 AND job_id = $2', [
      workspaceId,
      jobId,
    ])
    return true
  })
}
