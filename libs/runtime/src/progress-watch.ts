/**
 * Finds a process whose reading is stuck: work waits for it, nothing gets done, and everything that
 * it needs works. No message is lost when it ends: its successor, or the others of its group, read
 * again what is not done.
 *
 * It counts its own looks instead of reading a clock, so that a machine that slept, or a process
 * that was frozen, is not taken for one that did nothing in that time.
 */
export interface Progress {
  group: string
  waiting: number
  done: number
}

export interface ProgressWatchDeps {
  progress(): readonly Progress[]
  /**
   * Whether all stores answer. Where one does not, waiting is right and a new process would wait as
   * well.
   */
  storesAreWell(): Promise<boolean>
  /** Called once, with the text to be logged. */
  onStuck(reason: string): void
}

export const LOOK_EVERY_MS = 5_000
/**
 * 3 minutes: twice the longest attempt (60 s), and a lease or two. A message is done once its work
 * is taken on, which takes milliseconds, so no process that works comes near it.
 */
export const LOOKS = 36

/** @returns a function to be called every `LOOK_EVERY_MS` */
export function createProgressWatch(deps: ProgressWatchDeps): () => Promise<void> {
  const idle = new Map<string, { done: number; looks: number }>()
  let told = false

  return async () => {
    const seen = deps.progress()
    for (const group of idle.keys())
      if (!seen.some((one) => one.group === group)) idle.delete(group)
    const stalled: Progress[] = []
    for (const one of totals(seen)) {
      const before = idle.get(one.group)
      const moved = before === undefined || before.done !== one.done || one.waiting === 0
      const looks = moved ? 0 : before.looks + 1
      idle.set(one.group, { done: one.done, looks })
      if (looks >= LOOKS) stalled.push(one)
    }
    // The stores are asked at each look that finds a reader without progress, so that they have to
    // work all the while.
    if (told || ![...idle.values()].some(({ looks }) => looks > 0)) return
    if (!(await deps.storesAreWell())) {
      for (const entry of idle.values()) entry.looks = 0
      return
    }
    const [stuck] = stalled
    if (stuck === undefined) return
    told = true
    const seconds = (LOOKS * LOOK_EVERY_MS) / 1_000
    deps.onStuck(
      `${stuck.group} has done none of the ${stuck.waiting} messages that wait for it in ${seconds} s, and all stores are well`,
    )
  }
}

/** A group may have several subscriptions. */
function totals(progress: readonly Progress[]): Progress[] {
  return [...Map.groupBy(progress, ({ group }) => group)].map(([group, parts]) => ({
    group,
    waiting: parts.reduce((sum, { waiting }) => sum + waiting, 0),
    done: parts.reduce((sum, { done }) => sum + done, 0),
  }))
}
