/**
 * Keeps a process that has lost the database from writing to it: each statement is refused before
 * it is sent once the process cannot know that it still owns the database, and each new connection
 * is refused when another has taken over. Connections from before were ended by who took over.
 * docs/decisions/0026 tells why nothing comes through.
 */
import type pg from 'pg'

export interface Fence {
  /** The name of all connections behind the fence, by which they are found and ended. */
  connectionName: string
  /** Whether this process may believe that it owns the database: by its own clock, at no cost. */
  isOpen(): boolean
  /** Asks Postgres, over a connection that was just opened. */
  admits(client: pg.ClientBase): Promise<boolean>
}

/** What a pool is opened with so that its connections are behind the fence. */
export function fenceConfig(fence: Fence | undefined): pg.PoolConfig {
  if (fence === undefined) return {}
  return {
    application_name: fence.connectionName,
    verify(client, done) {
      fence.admits(client).then(
        (isAdmitted) => done(isAdmitted ? undefined : refusal()),
        (error: unknown) => done(Error.isError(error) ? error : new Error(String(error))),
      )
    },
  }
}

export function guardConnections(pool: pg.Pool, fence: Fence | undefined): void {
  if (fence === undefined) return
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      if (fence.isOpen()) return query(...args)
      const callback = args.at(-1)
      if (typeof callback !== 'function') return Promise.reject(refusal())
      process.nextTick(callback, refusal())
      return undefined
    }) as typeof client.query
  })
}

/** With the code of a server that shuts down: the caller may try again, elsewhere. */
function refusal(): Error {
  const message = 'this standalone does not know that it owns the database'
  return Object.assign(new Error(message), { code: '57P01' })
}
