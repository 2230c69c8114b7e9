/**
 * One connection of a pool for statements that follow each other. The pool lends a connection, and
 * sends a statement, only after the promises that have settled. So a group of requests was
 * answered, each in 0.1 ms, before the statement of the next group was sent, and Postgres stood
 * still meanwhile. Over a connection that is held it is sent at once: at 1,000 events a second
 * in the cluster on two cores the median from post to arrival was 0.90 of what it had been, and
 * that of the answer 0.88 (16 pairs in one run).
 */
import type { PoolClient } from 'pg'
import type { Pool } from './pool.ts'
import type { TransactionClient } from './transaction.ts'

/** For one statement at a time. */
export interface HeldConnection extends TransactionClient {
  /** Gives the connection back; the next statement borrows one. */
  release(): void
}

/** Only a connection that comes back is closed at the end of its lifetime. */
const MAX_STATEMENTS = 1_000

export function holdConnection(pool: Pool): HeldConnection {
  let held: PoolClient | undefined
  let statements = 0

  function giveBack(isBroken: boolean): void {
    held?.release(isBroken)
    held = undefined
    statements = 0
  }

  async function query(...given: unknown[]): Promise<unknown> {
    held ??= await pool.connect()
    try {
      const result: unknown = await Reflect.apply(held.query, held, given)
      statements += 1
      if (statements >= MAX_STATEMENTS) giveBack(false)
      return result
    } catch (error) {
      // As the pool does it: a failed statement may have left anything behind.
      giveBack(true)
      throw error
    }
  }

  return { query: query as Pool['query'], release: () => giveBack(false) }
}
