/** Runs tasks, a number of them at once and the others in their order. Tasks handle their errors. */
export interface TaskPool {
  add(task: () => Promise<void>): void
  /** Half of the places are free, and nothing waits. */
  whenHalfFree(): Promise<void>
  whenIdle(): Promise<void>
}

export function createTaskPool(concurrency: number): TaskPool {
  const waiting: (() => Promise<void>)[] = []
  let watchers: { most: number; resolve(): void }[] = []
  let active = 0

  function fill(): void {
    while (active < concurrency) {
      const task = waiting.shift()
      if (task === undefined) break
      active += 1
      void task().finally(() => {
        active -= 1
        fill()
      })
    }
    const isReached = ({ most }: { most: number }): boolean => active + waiting.length <= most
    for (const { resolve } of watchers.filter(isReached)) resolve()
    watchers = watchers.filter((watcher) => !isReached(watcher))
  }
  const whenAtMost = (most: number): Promise<void> =>
    new Promise((resolve) => {
      watchers.push({ most, resolve })
      fill()
    })
  return {
    add(task) {
      waiting.push(task)
      fill()
    },
    whenHalfFree: () => whenAtMost(Math.floor(concurrency / 2)),
    whenIdle: () => whenAtMost(0),
  }
}
