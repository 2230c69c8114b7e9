/**
 * One multi-row write at a time, first come, first served. Recording locks deliveries before `due`,
 * marking attempts as begun and renewing leases lock `due` first, and each meets rows of the
 * others: at once they would deadlock, and Postgres needs a second to see that. The mutex holds
 * within this process; over processes two rarely have the same delivery.
 */
export type Mutex = <Result>(write: () => Promise<Result>) => Promise<Result>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (write) => {
    const own = last.then(write)
    last = own.catch(() => undefined)
    return own
  }
}
