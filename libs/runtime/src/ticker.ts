/**
 * A loop that runs `work` again and again, `everyMs` after it ended, until stopped. An error is reported and the loop
 * goes on: what failed is tried again at the next round.
 */
export interface Ticker {
  start(): void
  /** Resolves when a round that is under way has ended. */
  stop(): Promise<void>
}

export interface TickerConfig {
  everyMs: number
  onError: (error: unknown) => void
}

/** @param work returns true to be called again at once: there is more to do */
export function createTicker(config: TickerConfig, work: () => Promise<boolean | void>): Ticker {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopped = true

  async function round(): Promise<void> {
    let again: boolean | void = false
    try {
      again = await work()
    } catch (error) {
      config.onError(error)
    }
    if (stopped) return
    timer = setTimeout(
      () => {
        running = round()
      },
      again === true ? 0 : config.everyMs,
    )
  }

  return {
    start() {
      if (!stopped) return
      stopped = false
      running = round()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
