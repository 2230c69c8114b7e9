/**
 * Several statements of the pipeline, all or none. A deadlock aborts the transaction, so a caller
 * that wants it repeated repeats the whole (`withRetries`).
 */
import type { Pool } from './pool.ts'

export interface TransactionClient {
  query: Pool['query']
}

/** @param work returns null to have everything undone */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: TransactionClient) => Promise<Result | null>,
): Promise<Result | null> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query(result === null ? 'ROLLBACK' : 'COMMIT')
    broken = false
    return result
  } finally {
    // After an error the connection is closed: its transaction is aborted or its state unknown.
    client.release(broken)
  }
}
