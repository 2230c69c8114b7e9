/**
 * The model as a pool that answers at once, and never waits: a statement that meets a lock fails.
 */
import type { Pool } from '@posthorn/store/pool'
import type { Database, Session } from './database.ts'
import { type StatementRequest, statementFor } from './statements.ts'

interface Client {
  query(asked: StatementRequest | string, values?: unknown[]): Promise<unknown>
  release(): void
}

/** @param now Postgres's time in microseconds */
export function createDirectPool(database: Database, now: () => number): Pool {
  const pool = {
    query: (asked: StatementRequest | string, values?: unknown[]) =>
      createClient(database, now).query(asked, values),
    connect: async () => createClient(database, now),
  }
  return pool as unknown as Pool
}

/** Its advisory locks are its own until it is released, as those of a connection are. */
function createClient(database: Database, now: () => number): Client {
  const connection = {}
  let open: Session | null = null

  function end(isCommitted: boolean): void {
    if (isCommitted) open?.commit()
    else open?.rollback()
    open = null
  }

  function perform(request: StatementRequest): unknown {
    const session = open ?? database.begin(now(), connection)
    session.beginStatement()
    const rows = statementFor(request)(session.transaction, request.values ?? [])
    if (open === null) session.commit()
    return { rows, rowCount: rows.length }
  }

  return {
    async query(asked, values) {
      const request: StatementRequest = typeof asked === 'string' ? { text: asked, values } : asked
      if (request.text === 'BEGIN') open = database.begin(now(), connection)
      else if (request.text === 'COMMIT' || request.text === 'ROLLBACK')
        end(request.text === 'COMMIT')
      else return perform(request)
      return { rows: [], rowCount: 0 }
    },
    release() {
      end(false)
      database.unlockAll(connection)
    },
  }
}
