/**
 * One multi-row write at a time, first come, first served. Recording locks deliveries before `due`, beginning and
 * renewing lock `due` first, and each meets rows of the others; at once they would deadlock, and Postgres needs a
 * second to see that. It holds within this process; over processes two rarely have the same delivery.
 */
export type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
