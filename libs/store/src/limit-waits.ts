/**
 * Refuses whoever has waited for a connection of a pool for 3 s, be it that none is free or that
 * one is being opened. What the pool lends to who was refused goes to who waits longest.
 *
 * Ticks are counted, not time: in a process that stood still itself none has gone by. By time, as
 * the pool would count, such a process refused everybody at once, while what Postgres had answered
 * lay there unread: that was seen where processes start on a machine that others use as well.
 */
import type pg from 'pg'
import { type Connected, interceptConnect, timedOut } from './intercept-connect.ts'

const TICK_MS = 250
const REFUSED_AFTER_TICKS = 12
/** For the pool's `connectionTimeoutMillis`: when a connection that does not open is closed. */
export const OPENING_TIMEOUT_MS = 10_000

interface Waiter {
  ticks: number
  /** Undefined once it has been answered. */
  callback: Connected | undefined
}

export function limitWaits(pool: pg.Pool): void {
  let waiters: Waiter[] = []
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    waiters = waiters.filter(({ callback }) => callback !== undefined)
    for (const waiter of waiters) {
      waiter.ticks += 1
      if (waiter.ticks > REFUSED_AFTER_TICKS)
        answer(waiter, timedOut('no connection to Postgres has become free'))
    }
    if (waiters.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function oldest(): Waiter | undefined {
    return waiters.find(({ callback }) => callback !== undefined)
  }

  interceptConnect(pool, (connect, callback) => {
    const waiter: Waiter = { ticks: 0, callback }
    waiters.push(waiter)
    timer ??= setInterval(tick, TICK_MS).unref()
    connect((error, client, release) => {
      // The pool does not know who has been refused: such a connection goes to who waits longest.
      const next = waiter.callback === undefined && client !== undefined ? oldest() : waiter
      if (next !== undefined) answer(next, error, client, release)
      // Released at once it would be lent to the next who was refused, within this call.
      else if (release !== undefined) setImmediate(release)
    })
  })
}

function answer(waiter: Waiter, ...answered: Parameters<Connected>): void {
  const { callback } = waiter
  waiter.callback = undefined
  callback?.(...answered)
}
