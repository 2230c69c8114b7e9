/**
 * The lines that have something to send, in turn, and those of them that a limit stops. A line that its own window stops
 * is in none: it comes back when one of its tries ends.
 */
import type { Line } from './line.ts'
import type { Origin } from './windows.ts'

export interface ReadyLines {
  /** In turn; may be changed while it is gone through. */
  readonly ready: Set<Line>
  stop(line: Line, by: 'origin' | 'suspects'): void
  /** A try has ended there: some of the lines that a limit stopped may go again. */
  wake(origin: Origin): void
  /** Some of each kind: nothing may wait for a waking that was missed. */
  wakeSome(): void
  /** Some are stopped. */
  hasStopped(): boolean
}

/** Woken for each slot that becomes free, so that growth of a limit is used. */
const WOKEN = 2

export function createReadyLines(): ReadyLines {
  const ready = new Set<Line>()
  const byOrigin = new Map<Origin, Set<Line>>()
  const suspects = new Set<Line>()

  function wakeFirst(stopped: Set<Line>): void {
    let woken = 0
    for (const line of stopped) {
      stopped.delete(line)
      ready.add(line)
      woken += 1
      if (woken === WOKEN) return
    }
  }

  function wakeOrigin(origin: Origin): void {
    const stopped = byOrigin.get(origin)
    if (stopped === undefined) return
    wakeFirst(stopped)
    if (stopped.size === 0) byOrigin.delete(origin)
  }

  return {
    ready,
    stop(line, by) {
      if (by === 'suspects') return void suspects.add(line)
      const { origin } = line.target
      const stopped = byOrigin.get(origin)
      if (stopped === undefined) byOrigin.set(origin, new Set([line]))
      else stopped.add(line)
    },
    wake(origin) {
      wakeOrigin(origin)
      wakeFirst(suspects)
    },
    wakeSome() {
      wakeFirst(suspects)
      for (const origin of byOrigin.keys()) wakeOrigin(origin)
    },
    hasStopped: () => suspects.size + byOrigin.size > 0,
  }
}
