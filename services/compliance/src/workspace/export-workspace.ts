/**
 * Streams all that a workspace and its sub-accounts have as one JSON document, page by page, as
 * fast as the client takes it. The tables are those that Postgres knows, so a new one is in the
 * document by itself; what is secret is left out by the name or the type of its column, and what is
 * sealed by its form, wherever it stands.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Handlers, streamReply } from '@posthorn/http/handlers'
import type { Pool } from '@posthorn/store/pool'
import { nextTenant } from '../subject-jobs/find-references.ts'
import { takeExportTurn } from './export-turns.ts'

export interface ExportWorkspaceDeps {
  pool: Pool
  /** Epoch ms. */
  now: () => number
}

export function createExportWorkspace({
  pool,
  now,
}: ExportWorkspaceDeps): Pick<Handlers<'compliance'>, 'exportWorkspace'> {
  return {
    async exportWorkspace({ caller: { tenantId } }) {
      const exportedAt = new Date(now()).toISOString()
      return streamReply(`workspace-${tenantId}.json`, inTurn(pool, tenantId, exportedAt))
    },
  }
}

/** The turn is taken with the first part: until then a refusal is answered as an error. */
async function* inTurn(
  pool: Pool,
  workspaceId: string,
  exportedAt: string,
): AsyncGenerator<string> {
  const turn = await takeExportTurn(pool, workspaceId)
  try {
    for await (const part of readWorkspace(pool, workspaceId, exportedAt)) {
      turn.requireHeld()
      yield part
    }
  } finally {
    await turn.end()
  }
}

/** How the pipeline keeps its work, and what stands for somebody who is signed in. */
const LEFT_OUT = [
  'backlogs',
  'due',
  'idempotency_keys',
  'lane_waiting',
  'lanes',
  'mails',
  'one_time_tokens',
  'operational_events',
  'parked',
  'rollup_outbox',
  'subject_export_pieces',
  'user_sessions',
]
const SECRET_COLUMN = 'secret|credential|password|token|mtls_key|subject_email'

interface ExportedTable {
  name: string
  columns: string[]
  /** Columns by which the rows are read in order: the primary key's, with their types. */
  key: { name: string; type: string }[]
}

/** What a table without a primary key, the log of sign-ins, is read by. */
const BY_TENANT = [
  { name: 'tenant_id', type: 'uuid' },
  { name: 'id', type: 'uuid' },
]

/** Tables with a `tenant_id`, partitioned ones as a whole. */
async function readTables(pool: Pool): Promise<ExportedTable[]> {
  const { rows } = await pool.query<Omit<ExportedTable, 'key'> & Partial<ExportedTable>>(
    `SELECT c.relname AS name,
       array_agg(a.attname::text ORDER BY a.attnum) FILTER (
         WHERE a.atttypid <> 'bytea'::regtype AND a.attname !~ $1) AS columns,
       (SELECT json_agg(json_build_object('name', k.attname, 'type', k.atttypid::regtype::text)
           ORDER BY array_position(i.indkey::int[], k.attnum::int))
         FROM pg_index i JOIN pg_attribute k
           ON k.attrelid = c.oid AND k.attnum = ANY (i.indkey::int[])
         WHERE i.indrelid = c.oid AND i.indisprimary) AS key
     FROM pg_class c JOIN pg_attribute a
       ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($2::text[])
       AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'tenants'::regclass)
     GROUP BY c.oid, c.relname HAVING bool_or(a.attname = 'tenant_id') ORDER BY c.relname`,
    [SECRET_COLUMN, LEFT_OUT],
  )
  return rows.map(({ key, ...table }) => ({ ...table, key: key ?? BY_TENANT }))
}

async function* readWorkspace(
  pool: Pool,
  workspaceId: string,
  exportedAt: string,
): AsyncGenerator<string> {
  const head = { schema_version: 1, client_id: workspaceId, exported_at: exportedAt }
  yield JSON.stringify(head).slice(0, -1)
  const sections: [string, AsyncIterable<string[]>][] = [
    ['clients', readOnce(pool, CLIENTS, workspaceId)],
    ['members', readOnce(pool, MEMBERS, workspaceId)],
  ]
  for (const table of await readTables(pool)) {
    sections.push([table.name, readTable(pool, table, workspaceId)])
  }
  for (const [name, pages] of sections) {
    yield `,${JSON.stringify(name)}:[`
    let separator = ''
    for await (const rows of pages) {
      for (const part of inParts(rows)) {
        yield `${separator}${part}`
        separator = ','
        await nextTurn()
      }
    }
    yield ']'
  }
  yield '}'
}

/** A part is ended by the row that makes it longer than this: some 5 ms of work. */
const PART_CHARACTERS = 512 * 1024

function* inParts(rows: readonly string[]): Generator<string> {
  let texts: string[] = []
  let characters = 0
  for (const json of rows) {
    texts.push(withoutSealed(json))
    characters += json.length
    if (characters < PART_CHARACTERS) continue
    yield texts.join(',')
    texts = []
    characters = 0
  }
  if (texts.length > 0) yield texts.join(',')
}

const OF_WORKSPACE = 'SELECT id FROM tenants WHERE id = $1 OR parent_id = $1'
const CLIENTS = `SELECT row_to_json(x)::text AS json FROM (
  SELECT id, parent_id, name, plan, external_id, email, metadata, status, created_at
  FROM tenants WHERE id IN (${OF_WORKSPACE}) ORDER BY id) x`
const MEMBERS = `SELECT row_to_json(x)::text AS json FROM (
  SELECT m.tenant_id, u.id AS user_id, u.email, u.name, m.role, m.status, m.created_at
  FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.tenant_id IN (${OF_WORKSPACE}) ORDER BY u.id) x`

async function* readOnce(pool: Pool, text: string, workspaceId: string): AsyncGenerator<string[]> {
  const { rows } = await pool.query<{ json: string }>(text, [workspaceId])
  yield rows.map(({ json }) => json)
}

/** With the largest payloads some 10 MiB, held for each client for as long as it does not read. */
const PAGE = 20

async function* readTable(
  pool: Pool,
  { name, columns, key }: ExportedTable,
  workspaceId: string,
): AsyncGenerator<string[]> {
  const ordered = key.map((column) => `r.${column.name}`).join(', ')
  const after = key.map((column, index) => `$${index + 2}::text::${column.type}`).join(', ')
  const shown = columns.map((column) => `r.${column}`).join(', ')
  for (
    let tenantId = await nextTenant(pool, workspaceId, null);
    tenantId !== null;
    tenantId = await nextTenant(pool, workspaceId, tenantId)
  ) {
    for (let last: string[] | null = null; ; ) {
      const { rows }: { rows: { json: string; key: string[] }[] } = await pool.query(
        `SELECT (SELECT row_to_json(x)::text FROM (SELECT ${shown}) x) AS json,
           ARRAY[${key.map((column) => `r.${column.name}::text`).join(', ')}] AS key
         FROM ${name} r WHERE r.tenant_id = $1
           ${last === null ? '' : `AND (${ordered}) > (${after})`}
         ORDER BY ${ordered} LIMIT ${PAGE}`,
        [tenantId, ...(last ?? [])],
      )
      yield rows.map(({ json }) => json)
      if (rows.length < PAGE) break
      last = rows.at(-1)?.key ?? null
    }
  }
}

const SEALED = /"s[12]:[0-9a-f]{8}:[A-Za-z0-9+/=]+"/g

function withoutSealed(json: string): string {
  return json.replaceAll(SEALED, 'null')
}
