/**
 * One piece of work at a time, first come, first served. A failure is told to whoever asked for
 * that work and holds up nothing behind it. There is no time limit: work that never ends blocks the
 * rest.
 */
export type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(work)
    last = own.catch(() => undefined)
    return own
  }
}
