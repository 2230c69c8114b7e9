/**
 * One step of an export: a page of rows is looked at, and what refers to the person becomes pieces
 * of the document. Attempts of an event that refers to the person are part of it as well: they have
 * sent it. They are written with their event; the attempts that follow later are those that refer
 * to the person by themselves.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Pool } from '@posthorn/store/pool'
import {
  FIRST_ID,
  type FoundRow,
  type ReferencePage,
  refers,
  type SearchedTable,
  type Subject,
} from './find-references.ts'
import type { JobStep } from './job-step.ts'
import { SECTION } from './read-subject-jobs.ts'
import {
  attemptJson,
  ATTEMPTS,
  type AttemptReference,
  auditJson,
  type AuditReference,
  EVENTS,
  eventJson,
  type EventReference,
  TABLES,
} from './subject-tables.ts'
import { BEGINNING, countAll, walk, type WalkPosition } from './walk.ts'

export interface ExportPosition extends WalkPosition {
  /** How many pieces each section has. */
  pieces: [number, number, number]
}

export interface ExportPiece {
  section: number
  number: number
  content: Buffer
}

const pack = promisify(gzip)

export async function exportStep(
  pool: Pool,
  workspaceId: string,
  position: ExportPosition | null,
  subject: Subject,
): Promise<JobStep<ExportPosition>> {
  if (position === null) {
    const total = await countAll(pool, workspaceId, TABLES)
    return { position: { ...BEGINNING, pieces: [0, 0, 0] }, done: 0, total }
  }
  const table = TABLES[position.table]
  if (table === undefined) return await lastStep()
  const step = await walk<FoundRow>(pool, workspaceId, { position, table }, subject)
  if (step === null) return await lastStep()
  const { tenantId, page } = step
  const pieces: ExportPiece[] = []
  const counts: ExportPosition['pieces'] = [...position.pieces]
  for await (const { section, rows } of rowsOf(pool, tenantId, { table, page, subject })) {
    if (rows.length === 0) continue
    pieces.push({ section, number: counts[section], content: await pack(rows.join(',')) })
    counts[section] += 1
  }
  return { position: { ...step.next, pieces: counts }, done: page.scanned, pieces }
}

interface Found {
  table: SearchedTable
  page: ReferencePage<FoundRow>
  subject: Subject
}

/** What a page adds to the document, as JSON, each part small enough for memory. */
async function* rowsOf(
  pool: Pool,
  tenantId: string,
  { table, page, subject }: Found,
): AsyncGenerator<{ section: 0 | 1 | 2; rows: string[] }> {
  if (table.name === 'events') {
    const events = page.rows as EventReference[]
    yield { section: SECTION.events, rows: events.map((row) => eventJson(tenantId, row)) }
    for await (const attempts of attemptsOf(pool, tenantId, events)) {
      yield { section: SECTION.attempts, rows: attempts.map((row) => attemptJson(tenantId, row)) }
    }
  } else if (table.name === 'attempts') {
    const own = await withoutWritten(pool, tenantId, page.rows as AttemptReference[], subject)
    yield { section: SECTION.attempts, rows: own.map((row) => attemptJson(tenantId, row)) }
  } else {
    const rows = page.rows as AuditReference[]
    yield { section: SECTION.auditLogs, rows: rows.map((row) => auditJson(tenantId, row)) }
  }
}

/** The end of the document, also of one in which nothing was found. */
async function lastStep(): Promise<JobStep<ExportPosition>> {
  const end = { section: Object.keys(SECTION).length, number: 0, content: await pack('') }
  return { position: null, done: 0, pieces: [end] }
}

const ATTEMPTS_PAGE = 100

async function* attemptsOf(
  pool: Pool,
  tenantId: string,
  events: readonly EventReference[],
): AsyncGenerator<AttemptReference[]> {
  for (const { id: eventId } of events) {
    for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
      const { rows }: { rows: AttemptReference[] } = await pool.query<AttemptReference>(
        `SELECT r.id, ${ATTEMPTS.columns}, ARRAY[${ATTEMPTS.texts.join(', ')}]::text[] AS texts
         FROM attempts r WHERE r.tenant_id = $1 AND r.event_id = $2 AND r.id > $3
         ORDER BY r.id LIMIT ${ATTEMPTS_PAGE}`,
        [tenantId, eventId, after],
      )
      if (rows.length > 0) yield rows
      after = rows.length < ATTEMPTS_PAGE ? undefined : rows.at(-1)?.id
    }
  }
}

/** Attempts whose event refers to the person are in the document already. */
async function withoutWritten(
  pool: Pool,
  tenantId: string,
  attempts: readonly AttemptReference[],
  subject: Subject,
): Promise<AttemptReference[]> {
  if (attempts.length === 0) return []
  const eventIds = [...new Set(attempts.map((row) => row.event_id))]
  const { rows } = await pool.query<FoundRow>(
    `SELECT r.id, ARRAY[${EVENTS.texts.join(', ')}]::text[] AS texts
     FROM events r WHERE r.tenant_id = $1 AND r.id = ANY ($2::uuid[])`,
    [tenantId, eventIds],
  )
  const written = new Set<string>()
  for (const { id, texts } of rows) if (await refers(texts, subject)) written.add(id)
  return attempts.filter((row) => !written.has(row.event_id))
}
