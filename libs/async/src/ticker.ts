/**
 * A loop that runs `work` again and again, `everyMs` after it ended, until stopped. An error is reported and the loop
 * goes on: what failed is tried again at the next round. Where `work` says so it sleeps until it is woken, or for as
 * long as that says.
 */
import { markWork } from './current-work.ts'

export interface Ticker {
  start(): void
  /**
   * There is something to do again: a round in `everyMs`, if it sleeps; of a sleep with a bound at once, though not
   * sooner than `everyMs` after the last one. Costs a comparison if it does not sleep.
   */
  wake(): void
  /** Resolves when a round that is under way has ended. */
  stop(): Promise<void>
}

export interface TickerConfig {
  /** What it does, for whoever asks what held the event loop. */
  name: string
  everyMs: number
  onError: (error: unknown) => void
}

/** true: again at once, there is more to do. `sleep`: not before it is woken. A number: nor before so many ms. */
export type NextRound = boolean | number | 'sleep' | void

export function createTicker(config: TickerConfig, work: () => Promise<NextRound>): Ticker {
  const at = `ticker ${config.name}`
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopped = true
  let state: 'awake' | 'woken' | 'asleep' = 'awake'
  /** Of the next round, if somebody wakes it; undefined: `everyMs` from then. */
  let notBefore: number | undefined

  async function round(): Promise<void> {
    state = 'awake'
    markWork(at)
    let next: NextRound = false
    try {
      next = await work()
    } catch (error) {
      config.onError(error)
    }
    if (stopped) return
    // Woken while it worked: what woke it may have come too late to be seen.
    const sleeps = state === 'awake' && (next === 'sleep' || typeof next === 'number')
    if (sleeps) state = 'asleep'
    notBefore = typeof next === 'number' ? performance.now() + config.everyMs : undefined
    if (!sleeps) schedule(next === true ? 0 : config.everyMs)
    else if (typeof next === 'number') schedule(next)
  }

  function schedule(afterMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = round()
    }, afterMs)
  }

  return {
    start() {
      if (!stopped) return
      stopped = false
      running = round()
    },
    wake() {
      if (state === 'asleep' && !stopped) {
        const waits = notBefore === undefined ? config.everyMs : notBefore - performance.now()
        schedule(Math.max(0, waits))
      }
      state = 'woken'
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
