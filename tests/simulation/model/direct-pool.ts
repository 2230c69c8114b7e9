/** The model as a pool that answers at once, for one caller at a time. */
import type { Pool } from '@posthorn/store/pool'
import type { Database, Session } from './database.ts'
import { type StatementRequest, statementFor } from './statements.ts'

/** @param now Postgres's time in microseconds */
export function createDirectPool(database: Database, now: () => number): Pool {
  let open: Session | null = null
  let connection = {}

  async function query(asked: StatementRequest | string, values?: unknown[]): Promise<unknown> {
    const { text, ...more }: StatementRequest =
      typeof asked === 'string' ? { text: asked, values } : asked
    if (text === 'BEGIN') open = database.begin(now(), connection)
    else if (text === 'COMMIT' || text === 'ROLLBACK') end(text === 'COMMIT')
    else return perform({ text, ...more })
    return { rows: [], rowCount: 0 }
  }

  function end(isCommitted: boolean): void {
    if (isCommitted) open?.commit()
    else open?.rollback()
    open = null
  }

  function perform(asked: StatementRequest): unknown {
    const session = open ?? database.begin(now(), connection)
    session.beginStatement()
    const rows = statementFor(asked)(session.transaction, asked.values ?? [])
    if (open === null) session.commit()
    return { rows, rowCount: rows.length }
  }

  const pool = {
    query,
    async connect() {
      connection = {}
      return {
        query,
        release() {
          end(false)
          database.unlockAll(connection)
          connection = {}
        },
      }
    },
  }
  return pool as unknown as Pool
}
