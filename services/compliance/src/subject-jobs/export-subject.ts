/**
 * One step of an export: a page of rows is looked at, and what refers to the person becomes pieces
 * of the document. Attempts of an event that refers to the person are part of it as well: they have
 * sent it. They are written by the steps that follow their event's, some at a time, for an event
 * may have very many; the attempts that follow later are those that refer to the person by
 * themselves.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Pool } from '@posthorn/store/pool'
import { type CountPosition, countStep, isCounting } from './count-rows.ts'
import {
  FIRST_ID,
  type FoundRow,
  type ReferencePage,
  refers,
  type SearchedTable,
  type Subject,
  textsSql,
} from './find-references.ts'
import type { ExportPiece, JobStep } from './job-step.ts'
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
import { BEGINNING, walk, type WalkPosition } from './walk.ts'

export type ExportPosition = CountPosition | ExportingPosition

interface ExportingPosition extends WalkPosition {
  /** How many pieces each section has. */
  pieces: [number, number, number]
  /** Events that are in the document, and whose attempts come next; null: none. */
  sent: SentEvents | null
}

interface SentEvents {
  tenantId: string
  eventIds: string[]
  /** The attempts of the first of them begin after this one. */
  after: string
}

const pack = promisify(gzip)

export async function exportStep(
  pool: Pool,
  workspaceId: string,
  position: ExportPosition | null,
  subject: Subject,
): Promise<JobStep<ExportPosition>> {
  if (isCounting(position)) {
    const first: ExportingPosition = { ...BEGINNING, pieces: [0, 0, 0], sent: null }
    return await countStep(pool, workspaceId, { position, tables: TABLES }, first)
  }
  if (position.sent !== null) return await attemptsStep(pool, position, position.sent)
  const table = TABLES[position.table]
  if (table === undefined) return await lastStep()
  const step = await walk<FoundRow>(pool, workspaceId, { position, table }, subject)
  if (step === null) return await lastStep()
  const { tenantId, page } = step
  const { section, rows } = await rowsOf(pool, tenantId, { table, page, subject })
  const [pieces, counts] = await toPieces(position.pieces, section, rows)
  const eventIds = table.name === 'events' ? page.rows.map(({ id }) => id) : []
  const sent = eventIds.length === 0 ? null : { tenantId, eventIds, after: FIRST_ID }
  return { position: { ...step.next, pieces: counts, sent }, done: page.scanned, pieces }
}

type Section = (typeof SECTION)[keyof typeof SECTION]

/** A piece is ended by the row that makes it longer than this: some 10 ms of work. */
const PIECE_CHARACTERS = 512 * 1024

/** Rows as JSON become pieces, each small enough to be taken apart at once. */
async function toPieces(
  before: ExportingPosition['pieces'],
  section: Section,
  rows: Iterable<string>,
): Promise<[ExportPiece[], ExportingPosition['pieces']]> {
  const pieces: ExportPiece[] = []
  const counts: ExportingPosition['pieces'] = [...before]
  let texts: string[] = []
  let characters = 0
  async function end(): Promise<void> {
    const content = await pack(texts.join(','))
    pieces.push({ section, number: counts[section], content })
    counts[section] += 1
    texts = []
    characters = 0
  }
  for (const text of rows) {
    texts.push(text)
    characters += text.length
    if (characters >= PIECE_CHARACTERS) await end()
  }
  if (texts.length > 0) await end()
  return [pieces, counts]
}

interface Found {
  table: SearchedTable
  page: ReferencePage<FoundRow>
  subject: Subject
}

/** What a page adds to the document, as JSON that is made row by row. */
async function rowsOf(
  pool: Pool,
  tenantId: string,
  { table, page, subject }: Found,
): Promise<{ section: Section; rows: Iterable<string> }> {
  if (table.name === 'events') {
    const events = page.rows as EventReference[]
    return { section: SECTION.events, rows: asJson(tenantId, events, eventJson) }
  }
  if (table.name === 'attempts') {
    const own = await withoutWritten(pool, tenantId, page.rows as AttemptReference[], subject)
    return { section: SECTION.attempts, rows: asJson(tenantId, own, attemptJson) }
  }
  const changes = page.rows as AuditReference[]
  return { section: SECTION.auditLogs, rows: asJson(tenantId, changes, auditJson) }
}

function* asJson<Row>(
  tenantId: string,
  rows: readonly Row[],
  toJson: (tenantId: string, row: Row) => string,
): Generator<string> {
  for (const row of rows) yield toJson(tenantId, row)
}

/** The end of the document, also of one in which nothing was found. */
async function lastStep(): Promise<JobStep<ExportPosition>> {
  const end = { section: Object.keys(SECTION).length, number: 0, content: await pack('') }
  return { position: null, done: 0, pieces: [end] }
}

/** With the largest payloads some 30 MiB. */
const ATTEMPTS_PAGE = 100

/** The next attempts of the events that are in the document already. */
async function attemptsStep(
  pool: Pool,
  position: ExportingPosition,
  { tenantId, ...sent }: SentEvents,
): Promise<JobStep<ExportPosition>> {
  const attempts: AttemptReference[] = []
  let { eventIds, after } = sent
  for (const eventId of sent.eventIds) {
    const { rows } = await pool.query<AttemptReference>(
      `SELECT r.id, ${ATTEMPTS.columns}, ${textsSql(ATTEMPTS.texts)}
       FROM attempts r WHERE r.tenant_id = $1 AND r.event_id = $2 AND r.id > $3
       ORDER BY r.id LIMIT ${ATTEMPTS_PAGE - attempts.length}`,
      [tenantId, eventId, after],
    )
    attempts.push(...rows)
    after = rows.at(-1)?.id ?? after
    if (attempts.length === ATTEMPTS_PAGE) break
    eventIds = eventIds.slice(1)
    after = FIRST_ID
  }
  const rows = asJson(tenantId, attempts, attemptJson)
  const [pieces, counts] = await toPieces(position.pieces, SECTION.attempts, rows)
  const left = eventIds.length === 0 ? null : { tenantId, eventIds, after }
  return { position: { ...position, pieces: counts, sent: left }, done: 0, pieces }
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
    `SELECT r.id, ${textsSql(EVENTS.texts)}
     FROM events r WHERE r.tenant_id = $1 AND r.id = ANY ($2::uuid[])`,
    [tenantId, eventIds],
  )
  const written = new Set<string>()
  for (const { id, texts } of rows) if (await refers(texts, subject)) written.add(id)
  return attempts.filter((row) => !written.has(row.event_id))
}
