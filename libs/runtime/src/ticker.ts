/**
 * A loop that runs `work` again and again, `everyMs` after it ended, until stopped. An error is reported and the loop
 * goes on: what failed is tried again at the next round. Where `work` says so it sleeps, without a timer, until woken.
 */
export interface Ticker {
  start(): void
  /** There is something to do again: a round in `everyMs`, if it sleeps. Costs a comparison if it does not. */
  wake(): void
  /** Resolves when a round that is under way has ended. */
  stop(): Promise<void>
}

export interface TickerConfig {
  everyMs: number
  onError: (error: unknown) => void
}

/** true: again at once, there is more to do. `sleep`: not before it is woken. */
export type NextRound = boolean | 'sleep' | void

export function createTicker(config: TickerConfig, work: () => Promise<NextRound>): Ticker {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopped = true
  let state: 'awake' | 'woken' | 'asleep' = 'awake'

  async function round(): Promise<void> {
    state = 'awake'
    let next: NextRound = false
    try {
      next = await work()
    } catch (error) {
      config.onError(error)
    }
    if (stopped) return
    // Woken while it worked: what woke it may have come too late to be seen.
    if (next === 'sleep' && state === 'awake') state = 'asleep'
    else schedule(next === true ? 0 : config.everyMs)
  }

  function schedule(afterMs: number): void {
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
      if (state === 'asleep' && !stopped) schedule(config.everyMs)
      state = 'woken'
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
