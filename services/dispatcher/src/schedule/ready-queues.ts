/**
 * The lines that have something to send, in turn, and those of them that a share stops. A line that its own window stops
 * is in none: it comes back when one of its attempts ends.
 */
import type { TargetQueue } from './target-queue.ts'
import { type OriginLoad, type Standing, standingOf, type TenantLoad } from './windows.ts'

export interface ReadyQueues {
  /** In turn; may be changed while it is gone through. */
  readonly ready: Set<TargetQueue>
  /** By what its origin or its tenant shares. */
  stop(line: TargetQueue, by: 'origin' | 'tenant'): void
  /** An attempt has ended there: some of the lines that a share stopped may go again. */
  wake(origin: OriginLoad): void
  /** Some of each kind: nothing may wait for a waking that was missed. */
  wakeSome(): void
  /** Some are stopped. */
  hasStopped(): boolean
}

/** Woken for each slot that becomes free, so that growth of a limit is used. */
const WOKEN = 2

export function createReadyQueues(): ReadyQueues {
  const ready = new Set<TargetQueue>()
  const byOrigin = createStopped<OriginLoad>(ready)
  const byTenant = createStopped<TenantLoad>(ready)

  return {
    ready,
    stop(line, by) {
      const { origin } = line.load
      if (by === 'origin') byOrigin.add(origin, line)
      else byTenant.add(origin.tenant, line)
    },
    wake(origin) {
      byOrigin.wake(origin)
      byTenant.wake(origin.tenant)
      // What is left of the slots tells what each of them may have: another one's share has grown too.
      byTenant.wakeNext()
    },
    wakeSome() {
      byOrigin.wakeAll()
      byTenant.wakeAll()
    },
    hasStopped: () => byOrigin.some() || byTenant.some(),
  }
}

/** Each standing by itself: what stops slow targets need not stop new ones, and those not the quick ones. */
type Stopped = Record<Standing, Set<TargetQueue>>

function createStopped<Key>(ready: Set<TargetQueue>) {
  const stopped = new Map<Key, Stopped>()

  function wake(key: Key): void {
    const lines = stopped.get(key)
    if (lines === undefined) return
    wakeFirst(lines.quick)
    wakeFirst(lines.new)
    wakeFirst(lines.slow)
    if (lines.quick.size + lines.new.size + lines.slow.size === 0) stopped.delete(key)
  }

  function wakeFirst(lines: Set<TargetQueue>): void {
    let woken = 0
    for (const line of lines) {
      lines.delete(line)
      ready.add(line)
      woken += 1
      if (woken === WOKEN) return
    }
  }

  return {
    add(key: Key, line: TargetQueue): void {
      let lines = stopped.get(key)
      if (lines === undefined) {
        lines = { quick: new Set(), new: new Set(), slow: new Set() }
        stopped.set(key, lines)
      }
      lines[standingOf(line.load)].add(line)
    },
    wake,
    wakeNext(): void {
      for (const [key, lines] of stopped) {
        wake(key)
        // To the end: the next time it is another one's turn.
        if (stopped.delete(key)) stopped.set(key, lines)
        return
      }
    },
    wakeAll(): void {
      for (const key of stopped.keys()) wake(key)
    },
    some: () => stopped.size > 0,
  }
}
