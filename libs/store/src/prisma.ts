/**
 * Prisma's client, for the management routes. The pipeline uses `pool.ts`: an insert costs 332 us
 * of our processor through Prisma, and 7 us without.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { type Fence, fenceConfig, guardConnections } from './fence.ts'
import { limitWaits, OPENING_TIMEOUT_MS } from './limit-waits.ts'
import { PrismaClient } from './generated/client.ts'
import { watchSilence } from './watch-silence.ts'

export type Database = PrismaClient
/** What a transaction's callback gets. */
export type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0]

/**
 * Prisma's own bounds, 2 and 5 s, are reached by a process that has just started on a busy machine.
 * Who waits for a connection is refused after 3 s (`limit-waits.ts`); a statement after 30 s.
 */
const MAX_WAIT_MS = 5_000
const MAX_TRANSACTION_MS = 15_000

export interface PrismaUse {
  /** As of `pool.ts`; Prisma prepares nothing by name. */
  isPooled?: boolean
  /** What keeps a `standalone` from writing once another has taken the database. */
  fence?: Fence | undefined
}

export function openPrisma(
  url: string,
  maxConnections: number,
  { isPooled = false, fence }: PrismaUse = {},
): Database {
  const probeConfig = { connectionString: url, application_name: 'posthorn management' }
  const pool = new pg.Pool({
    ...probeConfig,
    max: maxConnections,
    connectionTimeoutMillis: OPENING_TIMEOUT_MS,
    ...(!isPooled && { statement_timeout: 30_000 }),
    query_timeout: 31_000,
    ...fenceConfig(fence),
  })
  guardConnections(pool, fence)
  // Without a listener the error of an idle connection ends the process; its next user gets an
  // error.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  watchSilence(pool, probeConfig, () => {})
  limitWaits(pool)
  return new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true }),
    transactionOptions: { maxWait: MAX_WAIT_MS, timeout: MAX_TRANSACTION_MS },
  })
}

/** A unique key is taken. */
export function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'P2002'
}
