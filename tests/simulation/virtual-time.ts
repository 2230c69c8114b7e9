/**
 * Virtual time: entries run in the order of their instants, one after another. Between two of them
 * everything that waited for the first runs to its end, so a run is the same whenever it is
 * repeated.
 *
 * The services' own code runs unchanged: this process's timers and clocks are replaced while a run
 * lasts. The process that is being run owns the timers that it sets, so that a process that dies
 * takes them with it and a frozen one gets them late.
 */
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'

export interface Owner {
  readonly name: string
  isAlive: boolean
  /** Until then none of its entries runs. */
  frozenUntil: number
  /** How far its clock is ahead of Postgres's. */
  readonly skewMs: number
  /**
   * How far its machine's clock has been set. Time that is measured against Postgres's clock does
   * not show it.
   */
  steppedMs?: number
}

export interface VirtualTime {
  /** ms since the run began. */
  now(): number
  /** @param owner null: it runs whichever processes live */
  at(owner: Owner | null, time: number, run: () => void): Handle
  /** The process that is being run. */
  current(): Owner | null
  /** Runs until `isOver` answers true, or until nothing is left to run. */
  run(isOver: () => boolean): Promise<void>
  steps(): number
}

interface Handle {
  isCancelled: boolean
}

interface Entry extends Handle {
  owner: Owner | null
  time: number
  order: number
  run: () => void
}

/** 2040-01-01, noon: later than any day on which this is run, because ids never go back. */
export const EPOCH_MS = 2_208_988_800_000

/** A binary heap of entries, the earliest first. */
function createHeap() {
  const heap: Entry[] = []

  function isBefore(a: Entry, b: Entry): boolean {
    return a.time < b.time || (a.time === b.time && a.order < b.order)
  }

  function push(entry: Entry): void {
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above] as Entry
      if (!isBefore(entry, parent)) break
      heap[at] = parent
      at = above
    }
    heap[at] = entry
  }

  function pop(): Entry | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Entry, heap[below] as Entry))
        below += 1
      if (isBefore(last, heap[below] as Entry)) break
      heap[at] = heap[below] as Entry
      at = below
    }
    heap[at] = last
    return first
  }

  return { push, pop }
}

/** @param late what a timer of so many ms takes, as on a machine that has other things to do */
export function createVirtualTime(late: (ms: number) => number): VirtualTime {
  const { push, pop } = createHeap()
  let time = 0
  let order = 0
  let steps = 0
  let running: Owner | null = null

  function at(owner: Owner | null, when: number, run: () => void): Entry {
    order += 1
    const entry = { owner, time: Math.max(time, when), order, run, isCancelled: false }
    push(entry)
    return entry
  }

  /** @returns false when nothing is left */
  function step(): boolean {
    for (let entry = pop(); entry !== undefined; entry = pop()) {
      const { owner } = entry
      if (entry.isCancelled || owner?.isAlive === false) continue
      time = entry.time
      if (owner !== null && owner.frozenUntil > time) {
        // Entries of a frozen process run in the order in which they would have come.
        push({ ...entry, time: owner.frozenUntil, order: (order += 1) })
        continue
      }
      running = owner
      steps += 1
      entry.run()
      return true
    }
    return false
  }

  async function run(isOver: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    function next(): void {
      try {
        if (isOver() || !step()) return resolve()
        // `nextTick` runs when no microtask is left, but before the microtasks of this turn. So it
        // is requested from within one of them.
        queueMicrotask(() => process.nextTick(next))
      } catch (error) {
        reject(error as Error)
      }
    }
    const restore = replaceClocks({
      now: () => time,
      current: () => running,
      after: (ms, callback) => at(running, time + late(ms), callback),
      soon: (callback) => void at(running, time, callback),
    })
    process.nextTick(next)
    await promise.finally(restore)
  }

  return { now: () => time, at, current: () => running, run, steps: () => steps }
}

interface Clocks {
  now(): number
  current(): Owner | null
  after(ms: number, callback: () => void): Handle
  soon(callback: () => void): void
}

/** @returns a function that restores the real clocks */
function replaceClocks(clocks: Clocks): () => void {
  type Callback = (...values: unknown[]) => void
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setImmediate: globalThis.setImmediate,
    dateNow: Date.now,
    pause: timersPromises.setTimeout,
    random: Math.random,
  }
  const setTimer = (callback: Callback, ms = 0, ...values: unknown[]): object => {
    const handle = clocks.after(ms, () => callback(...values))
    return Object.assign(handle, { unref: () => handle, ref: () => handle })
  }
  function pause<Value>(ms?: number, value?: Value): Promise<Value> {
    return new Promise((resolve) => void clocks.after(ms ?? 0, () => resolve(value as Value)))
  }
  Object.assign(globalThis, {
    setTimeout: setTimer,
    clearTimeout: (handle?: Handle) => {
      if (handle !== undefined) handle.isCancelled = true
    },
    setImmediate: (callback: Callback, ...values: unknown[]) =>
      clocks.soon(() => callback(...values)),
  })
  Date.now = () => {
    const owner = clocks.current()
    return Math.floor(EPOCH_MS + clocks.now() + (owner?.skewMs ?? 0) + (owner?.steppedMs ?? 0))
  }
  Object.defineProperty(performance, 'now', { value: clocks.now, configurable: true })
  Object.defineProperty(performance, 'timeOrigin', { value: EPOCH_MS, configurable: true })
  Math.random = () => {
    throw new Error('chance must come from the seed: pass it in')
  }
  timersPromises.setTimeout = pause as unknown as typeof timersPromises.setTimeout
  syncBuiltinESMExports()

  return () => {
    const { setTimeout, clearTimeout, setImmediate } = real
    Object.assign(globalThis, { setTimeout, clearTimeout, setImmediate })
    Date.now = real.dateNow
    Math.random = real.random
    Reflect.deleteProperty(performance, 'now')
    Reflect.deleteProperty(performance, 'timeOrigin')
    timersPromises.setTimeout = real.pause
    syncBuiltinESMExports()
  }
}
