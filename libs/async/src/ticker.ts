/**
 * A loop that runs `work` again and again, `everyMs` after its last round ended, until it is
 * stopped. An error is reported and the loop goes on: what failed is tried again in the next round.
 * Where `work` says so the loop sleeps until it is woken, or for a time.
 *
 * A pause of half a second or more may be shorter by a sixth, unless it follows an error. So the
 * rounds of many loops come together: waking up costs a process that has nothing to do more than
 * the rounds do (docs/decisions/0014).
 */
import { markWork } from './current-work.ts'

export interface Ticker {
  start(): void
  /**
   * Tells that there is something to do. A loop that sleeps without a bound has a round in
   * `everyMs`; one that sleeps for a time has it at once, though not sooner than `everyMs` after
   * the last one. A loop that does not sleep is not changed, at the cost of a comparison.
   */
  wake(): void
  /** Resolves when a round that is under way has ended. */
  stop(): Promise<void>
}

export interface TickerConfig {
  /** What the loop does, for the report of what kept the event loop busy. */
  name: string
  everyMs: number
  /** How long it sleeps after an error, unless it is woken; by default `everyMs`, woken or not. */
  afterErrorMs?: number
  onError: (error: unknown) => void
}

/**
 * true: run again at once, there is more to do. `sleep`: not before it is woken. A number: not
 * before this many ms, unless it is woken.
 */
export type NextRound = boolean | number | 'sleep' | void

/** Shorter pauses are as long as was asked. */
const TOGETHER_FROM_MS = 500
const SECOND_MS = 1_000

export function createTicker(config: TickerConfig, work: () => Promise<NextRound>): Ticker {
  const at = `ticker ${config.name}`
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopped = true
  let state: 'awake' | 'woken' | 'asleep' = 'awake'
  /**
   * When the next round may be at the earliest, if somebody wakes the loop; undefined: `everyMs`
   * from then.
   */
  let notBefore: number | undefined

  async function round(): Promise<void> {
    state = 'awake'
    markWork(at)
    let next: NextRound = false
    let pause = untilTogether
    try {
      next = await work()
    } catch (error) {
      config.onError(error)
      next = config.afterErrorMs ?? false
      pause = (ms) => ms
    }
    if (stopped) return
    // Woken while it worked: what it was woken for may have come too late to be seen in this round.
    const sleeps = state === 'awake' && (next === 'sleep' || typeof next === 'number')
    if (sleeps) state = 'asleep'
    notBefore = typeof next === 'number' ? performance.now() + config.everyMs : undefined
    if (!sleeps) schedule(next === true ? 0 : pause(config.everyMs))
    else if (typeof next === 'number') schedule(pause(next))
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

/**
 * A pause that is shorter by a sixth at most, so that it ends at a whole second of the process, a
 * short one at half of one as well. A loop for which that is not enough comes nearer by each round.
 */
function untilTogether(afterMs: number): number {
  if (afterMs < TOGETHER_FROM_MS) return afterMs
  const now = performance.now()
  const step = afterMs < SECOND_MS ? SECOND_MS / 2 : SECOND_MS
  const round = Math.floor((now + afterMs) / step) * step
  // A timeout is cut to whole milliseconds: what fires before its time would come a step sooner.
  return Math.ceil(Math.max(round - now, (afterMs * 5) / 6))
}
