/**
 * What the pipeline's statements put into `rollup_outbox`: entries of 40 bytes, each the id of an
 * endpoint, the id of a project, and a code. The code tells what happened, in which second and
 * latency cell, and how often. An id of zeros stands for none.
 *
 *     63 … 44      43 … 12   11 … 7   6 … 0
 *     times - 1    second    kind     cell
 *
 * A delivery that was made for an endpoint names no project, for it counts to the endpoint alone.
 */
import { timeOfId } from '@posthorn/domain/ids'
import { cellOf } from './latency-cells.ts'

/** What may have happened. The codes stand in rows that outlive a version: none may change. */
export const ENTRY_KIND = {
  /** An event was accepted. */
  accepted: 0,
  /** A delivery was made for an endpoint. */
  made: 1,
  /** An attempt succeeded, and so its delivery was delivered. */
  succeeded: 2,
  /** Something was delivered without an attempt: acknowledged after a poll, or to nobody. */
  acknowledged: 3,
  /** Something ended dead without an attempt. */
  dead: 4,
  /** An attempt failed, by category. */
  timeout: 5,
  http_4xx: 6,
  http_5xx: 7,
  dns: 8,
  tls: 9,
  refused: 10,
  other: 11,
} as const
export type EntryKind = keyof typeof ENTRY_KIND

/** Added to the kind of an attempt that failed: its delivery ended dead. */
export const ENDED_DEAD = 16

export const ENTRY_BYTES = 40
export const NO_ID = '00000000-0000-0000-0000-000000000000'

const CELL_BITS = 7
const SECOND_BITS = 12
const TIMES_BITS = 44

const FAILURE_CATEGORIES: readonly string[] = [
  'timeout',
  'http_4xx',
  'http_5xx',
  'dns',
  'tls',
  'refused',
] satisfies EntryKind[]

/** How an attempt's row counts, by its error: `<category>: <what>`, or '' when it succeeded. */
export function kindOfError(error: string): EntryKind {
  if (error === '') return 'succeeded'
  const category = error.slice(0, error.indexOf(':'))
  return FAILURE_CATEGORIES.includes(category) ? (category as EntryKind) : 'other'
}

/** The same in SQL. */
export const KIND_OF_ERROR_SQL = `CASE WHEN error = '' THEN 'succeeded'
  WHEN split_part(error, ':', 1) IN (${FAILURE_CATEGORIES.map((one) => `'${one}'`).join(', ')})
    THEN split_part(error, ':', 1) ELSE 'other' END`

interface CountedAttempt {
  /** Its time is the time at which it counts. */
  id: string
  error: string
  durationMs: number
}

/** The code of one attempt, exact in a double. */
export function codeOfAttempt({ id, error, durationMs }: CountedAttempt, isDead: boolean): number {
  const kind = ENTRY_KIND[kindOfError(error)] + (isDead ? ENDED_DEAD : 0)
  const second = Math.floor(timeOfId(id) / 1_000)
  return second * 2 ** SECOND_BITS + kind * 2 ** CELL_BITS + cellOf(durationMs)
}

/** The code of what happens without an attempt, in SQL: it happens now. */
export function codeNowSql(kind: 'accepted' | 'made' | 'acknowledged' | 'dead'): string {
  const code = ENTRY_KIND[kind] * 2 ** CELL_BITS
  return `((floor(extract(epoch FROM now()))::bigint << ${SECOND_BITS}) + ${code})`
}

/** `code`, for what has happened so often. */
export function timesSql(code: string, times: string): string {
  return `${code} + ((${times} - 1) << ${TIMES_BITS})`
}

/**
 * A part of a WITH: puts the entries that a query returns as `tenant_id, endpoint_id, project_id,
 * code` into the outbox, one row a tenant. The ids may be null. Attempts are not grouped any
 * further: measured, that cost a batch of 100 twice as much as it saved.
 */
export function writeOutboxSql(name: string, entries: string): string {
  return `${name} AS (
  INSERT INTO rollup_outbox (tenant_id, body)
  SELECT tenant_id, string_agg(${entrySql('endpoint_id', 'project_id', 'code')}, '')
  FROM (${entries}) e GROUP BY tenant_id
)`
}

/** As `writeOutboxSql`, for one row of `from`, whose columns or values these are. */
export function writeEntrySql(
  name: string,
  from: string,
  [endpointId, projectId, code]: readonly [string, string, string],
): string {
  return `${name} AS (
  INSERT INTO rollup_outbox (tenant_id, body)
  SELECT tenant_id, ${entrySql(endpointId, projectId, code)} FROM ${from}
)`
}

function entrySql(endpointId: string, projectId: string, code: string): string {
  return `uuid_send(coalesce(${endpointId}, '${NO_ID}'))
    || uuid_send(coalesce(${projectId}, '${NO_ID}')) || int8send(${code})`
}

export interface Entry {
  /** 16 bytes as latin1; `NO_ID_BYTES`: none. */
  endpoint: string
  project: string
  kind: EntryKind
  /** The delivery ended dead with this. */
  isDead: boolean
  /** Seconds since 1970. */
  second: number
  cell: number
  times: number
}

export const NO_ID_BYTES = '\0'.repeat(16)

const KIND_OF = Object.fromEntries(
  Object.entries(ENTRY_KIND).map(([kind, code]) => [code, kind]),
) as Record<number, EntryKind>

/** A kind that this version does not know is left out. */
export function* decodeEntries(body: Buffer): Generator<Entry> {
  for (let at = 0; at + ENTRY_BYTES <= body.length; at += ENTRY_BYTES) {
    const high = body.readUInt32BE(at + 32)
    const low = body.readUInt32BE(at + 36)
    const code = (low >>> CELL_BITS) & 31
    const kind = KIND_OF[code % ENDED_DEAD]
    if (kind === undefined) continue
    yield {
      endpoint: body.toString('latin1', at, at + 16),
      project: body.toString('latin1', at + 16, at + 32),
      kind,
      isDead: code >= ENDED_DEAD || kind === 'dead',
      second: (high & 0xfff) * 2 ** 20 + (low >>> SECOND_BITS),
      cell: low & 127,
      times: (high >>> (TIMES_BITS - 32)) + 1,
    }
  }
}

/** An id as it stands in an entry. */
export function idOfBytes(bytes: string): string {
  const hex = Buffer.from(bytes, 'latin1').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
