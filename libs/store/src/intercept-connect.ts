/** What comes between a pool and whoever wants a connection of it. */
import type pg from 'pg'

export type Connected = (
  error: Error | undefined,
  client?: pg.PoolClient,
  release?: (error?: Error | boolean) => void,
) => void

/** Has both forms of the pool's `connect` go through `lend`, which is given the pool's own. */
export function interceptConnect(
  pool: pg.Pool,
  lend: (connect: (callback: Connected) => void, callback: Connected) => void,
): void {
  const connect = pool.connect.bind(pool) as (callback: Connected) => void
  pool.connect = ((callback?: Connected) => {
    if (callback !== undefined) return lend(connect, callback)
    return new Promise<pg.PoolClient>((resolve, reject) => {
      lend(connect, (error, client) => (client === undefined ? reject(error) : resolve(client)))
    })
  }) as typeof pool.connect
}

/** With a code that `isUnavailable` and Prisma's adapter know. */
export function timedOut(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}
