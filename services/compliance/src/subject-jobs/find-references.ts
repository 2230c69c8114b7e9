/**
 * Finds the rows that refer to a person, page by page, in the order of their ids. No index can
 * tell: all rows of the workspace are read. Postgres passes over those that have the address in no
 * spelling; what is left is looked at here, where its spellings are taken apart.
 *
 * A page costs a bounded time, whatever is in the texts: it has 2,000 rows or 16 MiB of text at
 * most, of which 50 rows at most are looked at, and each text in turns of the event loop.
 */
import { inTurns } from '@posthorn/async/in-turns'
import { type AddressMatcher, createAddressMatcher } from '@posthorn/domain/address-matcher'
import type { Pool } from '@posthorn/store/pool'

/** A person, as texts refer to them. */
export interface Subject {
  /** In lower case. */
  email: string
  matcher: AddressMatcher
}

export function createSubject(email: string): Subject {
  return { email, matcher: createAddressMatcher(email) }
}

export interface SearchedTable {
  name: 'events' | 'attempts' | 'audit_logs'
  /** SQL of what the caller needs of a row, beside `id`. */
  columns: string
  /** SQL of the texts that may refer to the person; null is none. */
  texts: readonly string[]
}

export interface FoundRow {
  id: string
  texts: (string | null)[]
}

export interface ReferencePage<Row extends FoundRow> {
  rows: Row[]
  /** How many rows there were to look at. */
  scanned: number
  /** Where the next page begins; null: this was the last. */
  after: string | null
}

/**
 * Texts of a row as one column. In JSON, because the driver takes an array apart character by
 * character: 40 ms for a payload of 256 KiB.
 */
export function textsSql(texts: readonly string[]): string {
  return `to_json(ARRAY[${texts.join(', ')}]::text[]) AS texts`
}

const PAGE = 2_000
/** Postgres looks through some 50 MiB a second. The row that passes this is the page's last. */
const PAGE_BYTES = 16 * 1024 * 1024
/** With the largest payloads some 20 MiB. */
const MAX_CANDIDATES = 50
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export async function findReferences<Row extends FoundRow>(
  pool: Pool,
  table: SearchedTable,
  { tenantId, after }: { tenantId: string; after: string },
  subject: Subject,
): Promise<ReferencePage<Row>> {
  const { ids, isLast } = await readPage(pool, table, tenantId, after)
  const end = ids.at(-1)
  if (end === undefined) return { rows: [], scanned: 0, after: null }
  const { rows: candidates } = await pool.query<Row>(
    `SELECT r.id, ${table.columns}, ${textsSql(table.texts)}
     FROM ${table.name} r
     WHERE r.tenant_id = $1 AND r.id > $2 AND r.id <= $3
       AND (${table.texts.map(mayRefer).join(' OR ')})
     ORDER BY r.id LIMIT ${MAX_CANDIDATES}`,
    [tenantId, after, end, subject.email, spelledPattern(subject.email)],
  )
  const rows: Row[] = []
  for (const row of candidates) if (await refers(row.texts, subject)) rows.push(row)
  const last = candidates.at(-1)
  // The rest of the page is looked at next.
  if (candidates.length === MAX_CANDIDATES && last !== undefined && last.id !== end) {
    return { rows, scanned: ids.indexOf(last.id) + 1, after: last.id }
  }
  return { rows, scanned: ids.length, after: isLast ? null : end }
}

/** Whether any of the texts refers to the person. */
export async function refers(
  texts: readonly (string | null)[],
  { matcher }: Subject,
): Promise<boolean> {
  for (const text of texts) if (text !== null && (await inTurns(matcher.steps(text)))) return true
  return false
}

/** The length of a text is known without reading it. */
async function readPage(
  pool: Pool,
  { name, texts }: SearchedTable,
  tenantId: string,
  after: string,
): Promise<{ ids: string[]; isLast: boolean }> {
  const lengths = texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(' + ')
  const { rows } = await pool.query<{ id: string; bytes: number }>(
    `SELECT r.id, ${lengths} AS bytes FROM ${name} r WHERE r.tenant_id = $1 AND r.id > $2
     ORDER BY r.id LIMIT ${PAGE}`,
    [tenantId, after],
  )
  let bytes = 0
  const full = rows.findIndex((row) => (bytes += row.bytes) > PAGE_BYTES)
  const page = full === -1 ? rows : rows.slice(0, full + 1)
  return {
    ids: page.map(({ id }) => id),
    isLast: rows.length < PAGE && page.length === rows.length,
  }
}

/** The address itself, in ASCII's upper or lower case, or something that may spell a part of it. */
function mayRefer(text: string): string {
  return `strpos(lower(${text} COLLATE "C"), $4) > 0 OR ${text} ~ $5`
}

/** What spells a visible ASCII character otherwise, or a % or a backslash that spells one. */
function spelledPattern(email: string): string {
  const escapes = String.raw`(%|\\u00)[2-7][0-9a-fA-F]`
  return email.includes('/') ? String.raw`${escapes}|\\/` : escapes
}

/** The workspace and its sub-accounts. @param after null: the first; @returns null: that was all */
export async function nextTenant(
  pool: Pool,
  workspaceId: string,
  after: string | null,
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `(SELECT id FROM tenants WHERE id = $1 AND ($2::uuid IS NULL OR id > $2))
     UNION ALL
     (SELECT id FROM tenants WHERE parent_id = $1 AND ($2::uuid IS NULL OR id > $2)
       ORDER BY id LIMIT 1)
     ORDER BY id LIMIT 1`,
    [workspaceId, after],
  )
  return rows[0]?.id ?? null
}
