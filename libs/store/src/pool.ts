/**
 * The connection pool for raw SQL: the pipeline's statements. Management routes use Prisma
 * (`prisma.ts`).
 */
import pg from 'pg'
import { type Fence, fenceConfig, guardConnections } from './fence.ts'
import { limitWaits, OPENING_TIMEOUT_MS } from './limit-waits.ts'
import { watchSilence } from './watch-silence.ts'

export type Pool = pg.Pool

export interface PoolConfig {
  url: string
  /**
   * Connections at most. With group commit one or two for each writer are enough; 8 services with 8
   * each stay below Postgres's 100.
   */
  max: number
  /**
   * The URL leads through a pooler that lends a session for one transaction (PgBouncer's
   * transaction mode): then nothing is left in a session. Settings go with each transaction, and no
   * statement is prepared by name. Without names each statement is planned anew.
   */
  isPooled?: boolean
  /** Shown in pg_stat_activity. */
  name: string
  onError: (error: unknown) => void
  /** Keeps a `standalone` from writing once another has taken the database. */
  fence?: Fence | undefined
}

/**
 * A frozen process must not block others: its locks and its open transaction end by themselves.
 * Sequential scans are off, because a plan that was made while a table was small is kept while it
 * grows, and every statement here goes by a key.
 */
export const SESSION_SETTINGS = {
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '5s',
  jit: 'off',
  enable_seqscan: 'off',
}
const SESSION = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')
/** One message, as one answer is waited for. */
const BEGIN_POOLED = [
  'BEGIN',
  ...Object.entries(SESSION_SETTINGS).map(([name, value]) => `SET LOCAL ${name} = '${value}'`),
].join('; ')
/**
 * A statement that takes longer is stuck: the longest of ours, a sweep of 500 rows, takes
 * milliseconds.
 */
const STATEMENT_TIMEOUT_MS = 30_000
/**
 * A statement whose text names days is another one each day (`pipeline/sql/partition-bounds.ts`),
 * and a connection keeps what it has prepared, some 50 KB each. A new connection costs 5 ms.
 */
const LIFETIME_S = 3_600
/**
 * With pg's default of 10 s, a connection that two statements at once had opened was closed and
 * soon opened again, at 25 to 70 ms of processor each time: a tenth of what an idle `standalone`
 * used.
 */
const IDLE_TIMEOUT_MS = 300_000

export function openPool(config: PoolConfig): Pool {
  const isPooled = config.isPooled === true
  const pool = new pg.Pool({
    connectionString: config.url,
    max: config.max,
    application_name: config.name,
    ...(isPooled
      ? { Client: PooledClient }
      : { options: SESSION, statement_timeout: STATEMENT_TIMEOUT_MS }),
    connectionTimeoutMillis: OPENING_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    keepAlive: true,
    maxLifetimeSeconds: LIFETIME_S,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...fenceConfig(config.fence),
  })
  guardConnections(pool, config.fence)
  // An idle connection that breaks is reported here; the pool replaces it by itself.
  pool.on('error', config.onError)
  // A connection that breaks while it is lent out, between two statements, has no other listener,
  // and an error without a listener ends the process. Its next statement fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}))
  const probeConfig = { connectionString: config.url, application_name: config.name }
  watchSilence(pool, probeConfig, config.onError)
  limitWaits(pool)
  return pool
}

/**
 * A client behind a pooler. A statement that was prepared by name stays in the session, which the
 * next transaction does not get; a setting of the session would go to somebody else.
 */
class PooledClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...all: unknown[]) => unknown
    this.query = ((first: unknown, ...rest: unknown[]) =>
      query(forPooler(first), ...rest)) as typeof this.query
  }
}

function forPooler(query: unknown): unknown {
  if (query === 'BEGIN') return BEGIN_POOLED
  if (typeof query !== 'object' || query === null || !('name' in query)) return query
  return { ...query, name: undefined }
}

/** For `/health`. */
export async function checkPool(pool: Pool): Promise<{ ok: boolean; detail: string }> {
  try {
    await pool.query('SELECT 1')
    return { ok: true, detail: 'answers' }
  } catch (error) {
    return { ok: false, detail: Error.isError(error) ? error.message : String(error) }
  }
}

const NETWORK_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAGAIN', // more wait at a Unix socket than its queue takes
]
const NETWORK_WORDS = new RegExp(
  [
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error',
    'not queryable',
  ].join('|'),
)

/**
 * What Prisma's adapter makes of such errors. P2028 means that no connection became free for a
 * transaction.
 */
const PRISMA_KINDS = [
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]
const PRISMA_CODES = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']

/**
 * Whether Postgres could not be reached or is not ready: the caller may try again, and answers 503.
 */
export function isUnavailable(error: unknown): boolean {
  if (!Error.isError(error)) return false
  const cause = adapterCause(error)
  if (PRISMA_CODES.includes(codeOf(error)) || PRISMA_KINDS.includes(cause?.kind ?? '')) return true
  const code = cause?.originalCode ?? codeOf(error)
  if (NETWORK_CODES.includes(code)) return true
  // 08: connection; 53: out of resources; 57P: shut down, starting up; 57014: our own statement
  // timeout; 25006: read only; 58: system error
  if (/^(08|53|57P|57014|25006|58)/.test(code)) return true
  return NETWORK_WORDS.test(error.message)
}

/**
 * Prisma puts the driver's own error into `meta`: for all of them a model's query has the code
 * P2039, and a raw query P2010.
 */
function adapterCause(error: Error): { kind?: string; originalCode?: string } | undefined {
  const meta = (
    error as {
      meta?: { driverAdapterError?: { cause?: { kind?: string; originalCode?: string } } }
    }
  ).meta
  return meta?.driverAdapterError?.cause
}

/** Deadlock, serialisation failure, lock timeout: the same statement may succeed when repeated. */
export function isRetryable(error: unknown): boolean {
  return ['40P01', '40001', '55P03'].includes(codeOf(error))
}

/**
 * Whether the data of one row is at fault: class 22, data exception, or 23, constraint violation.
 */
export function isDataError(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error))
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
