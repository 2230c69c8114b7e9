/**
 * A process's pool of connections to the model: what it asks takes its time there and back, and
 * either may be lost. A statement that is under way when its process dies happens all the same.
 */
import type { Pool } from '@posthorn/store/pool'
import { EPOCH_MS, type Owner, type VirtualTime } from '../virtual-time.ts'
import { type Change, type Database, isBlocked, type Session } from './database.ts'
import { type StatementRequest, nameOf, statementFor } from './statements.ts'

export interface Fate {
  thereMs: number
  backMs: number
  /**
   * refused: it never happens. lost: it happens, and nobody hears of it. deadlock: undone, for
   * Postgres said so.
   */
  fault: 'refused' | 'lost' | 'deadlock' | null
}

export interface CompletedStatement {
  changes: Change[]
  rows: readonly unknown[]
  values: readonly unknown[]
}

export interface PoolDeps {
  time: VirtualTime
  database: Database
  fateOf(owner: Owner, name: string): Fate
  /** What was made durable, and by which statement; empty: it was read. */
  onCommit(owner: Owner, name: string, done: CompletedStatement): void
  /** What one statement has changed, durable or within its transaction. */
  onStatement(name: string, changes: readonly Change[], values: readonly unknown[]): void
  /** A statement of it was given up: it waited for too long, or in a circle. */
  onTrouble(owner: Owner): void
}

interface Answer {
  rows: unknown[]
  rowCount: number
}

interface Connection {
  owner: Owner
  session: Session | null
  /** The last statement of its transaction, by which its end is known. */
  last?: string
  isBroken: boolean
}

/** As the session's settings in `libs/store/src/pool.ts`. */
const LOCK_TIMEOUT_MS = 2_000
const IDLE_IN_TRANSACTION_MS = 5_000

export interface ModelPools {
  poolOf(owner: Owner): Pool
  /** Its connections break: open transactions end, whatever they had locked. */
  cut(owner: Owner): void
  /** It does nothing for a while, which Postgres suffers only so long. */
  froze(owner: Owner): void
}

// oxlint-disable-next-line max-lines-per-function -- connections and transactions change together
export function createModelPools(deps: PoolDeps): ModelPools {
  const { time, database } = deps
  const connections = new Set<Connection>()

  function begin(connection: Connection): Session {
    return database.begin((EPOCH_MS + time.now()) * 1_000, connection)
  }

  function ask(connection: Connection, asked: StatementRequest): Promise<Answer> {
    const { owner } = connection
    const name = ['BEGIN', 'COMMIT', 'ROLLBACK'].includes(asked.text) ? asked.text : nameOf(asked)
    const { thereMs, backMs, fault } = deps.fateOf(owner, name)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const answer = (result: Answer | Error): void => {
      time.at(owner, time.now() + backMs, () => {
        if (result instanceof Error) reject(result)
        else if (fault === 'lost') reject(failure('Connection terminated unexpectedly', '08006'))
        else resolve(result)
      })
    }
    time.at(null, time.now() + thereMs, () => {
      if (connection.isBroken || fault === 'refused') {
        breakOff(connection)
        answer(failure('connect ECONNREFUSED', 'ECONNREFUSED'))
      } else if (fault === 'deadlock' && name !== 'COMMIT') {
        breakOff(connection)
        answer(failure('deadlock detected', '40P01'))
      } else perform(connection, name, asked, answer)
    })
    return promise
  }

  function end(connection: Connection): void {
    breakOff(connection)
    database.unlockAll(connection)
  }

  function perform(
    connection: Connection,
    name: string,
    asked: StatementRequest,
    answer: (result: Answer | Error) => void,
  ): void {
    if (name === 'BEGIN') connection.session = begin(connection)
    else if (name === 'ROLLBACK') breakOff(connection)
    else if (name === 'COMMIT') {
      const { session } = connection
      connection.session = null
      if (session === null) return answer(failure('no transaction', '25P01'))
      const told = `${name} of ${connection.last}`
      deps.onCommit(connection.owner, told, { changes: session.commit(), rows: [], values: [] })
    } else return execute(connection, connection.session ?? begin(connection), name, asked, answer)
    answer({ rows: [], rowCount: 0 })
  }

  function execute(
    connection: Connection,
    session: Session,
    name: string,
    asked: StatementRequest,
    answer: (result: Answer | Error) => void,
  ): void {
    const isOwn = connection.session !== session
    connection.last = name
    session.beginStatement()
    let rows: unknown[]
    try {
      rows = statementFor(asked)(session.transaction, asked.values ?? [])
    } catch (error) {
      session.undoStatement()
      if (hasCode(error)) {
        breakOff(isOwn ? { ...connection, session } : connection)
        return answer(error)
      }
      if (!isBlocked(error)) throw error
      return wait(connection, session, error.blockedBy, answer, () =>
        execute(connection, session, name, asked, answer),
      )
    }
    const values = asked.values ?? []
    deps.onStatement(name, session.changedByStatement(), values)
    if (isOwn) {
      deps.onCommit(connection.owner, name, { changes: session.commit(), rows, values })
    }
    answer({ rows, rowCount: rows.length })
  }

  function wait(
    connection: Connection,
    session: Session,
    owner: Session,
    answer: (result: Answer | Error) => void,
    again: () => void,
  ): void {
    const giveUp = (message: string, code: string): void => {
      session.waitsFor = undefined
      session.rollback()
      deps.onTrouble(connection.owner)
      if (connection.session === session) connection.session = null
      answer(failure(message, code))
    }
    for (let one: Session | undefined = owner; one !== undefined; one = one.waitsFor)
      if (one === session) return giveUp('deadlock detected', '40P01')
    session.waitsFor = owner
    let isOver = false
    const timeout = time.at(null, time.now() + LOCK_TIMEOUT_MS, () => {
      isOver = true
      giveUp('canceling statement due to lock timeout', '55P03')
    })
    owner.onEnd(() => {
      if (isOver) return
      isOver = true
      timeout.isCancelled = true
      session.waitsFor = undefined
      time.at(null, time.now(), () => {
        if (!connection.isBroken) again()
        else session.rollback()
      })
    })
  }

  function cut(owner: Owner): void {
    for (const connection of connections) {
      if (connection.owner !== owner) continue
      end(Object.assign(connection, { isBroken: true }))
      connections.delete(connection)
    }
  }

  return {
    poolOf(owner) {
      const pool = {
        query: (asked: StatementRequest | string, values?: unknown[]) =>
          ask(connectionOf(owner), toAsked(asked, values)),
        async connect() {
          const connection = connectionOf(owner)
          connections.add(connection)
          return {
            query: (asked: StatementRequest | string, values?: unknown[]) =>
              ask(connection, toAsked(asked, values)),
            release() {
              connections.delete(connection)
              end(connection)
            },
          }
        },
      }
      return pool as unknown as Pool
    },
    cut,
    froze(owner) {
      const open = [...connections].filter((one) => one.owner === owner && one.session !== null)
      time.at(null, time.now() + IDLE_IN_TRANSACTION_MS, () => {
        if (!owner.isAlive || owner.frozenUntil <= time.now()) return
        for (const connection of open) end(Object.assign(connection, { isBroken: true }))
      })
    },
  }
}

/** What Postgres itself would have said. */
function hasCode(error: unknown): error is Error {
  return Error.isError(error) && 'code' in error
}

function breakOff(connection: Connection): void {
  connection.session?.rollback()
  connection.session = null
}

function toAsked(asked: StatementRequest | string, values?: unknown[]): StatementRequest {
  return typeof asked === 'string' ? { text: asked, values } : asked
}

function failure(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}

function connectionOf(owner: Owner): Connection {
  return { owner, session: null, isBroken: false }
}
