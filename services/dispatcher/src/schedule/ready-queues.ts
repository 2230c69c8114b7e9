/**
 * The target queues that have something to send, in turn, and those of them that a shared limit
 * stops. A queue that its own window stops is in neither: it comes back when one of its attempts
 * ends.
 */
import type { TargetQueue } from './target-queue.ts'
import { type OriginLoad, type Standing, standingOf, type TenantLoad } from './loads.ts'

export interface ReadyQueues {
  /** In turn; may be changed while it is iterated. */
  readonly ready: Set<TargetQueue>
  /** @param by whose shared limit stops it */
  stop(queue: TargetQueue, by: 'origin' | 'tenant' | 'unread'): void
  /** An attempt has ended there: some of the queues that a shared limit stopped may go again. */
  wake(origin: OriginLoad): void
  /** A payload has been read: some of the queues whose next one has to be read may go again. */
  wakeUnread(): void
  /** Wakes some of each kind, so that nothing waits for a waking that was missed. */
  wakeSome(): void
  /** Some are stopped. */
  hasStopped(): boolean
}

/** So many are woken for each slot that becomes free, so that the growth of a limit is used. */
const WOKEN = 2

export function createReadyQueues(): ReadyQueues {
  const ready = new Set<TargetQueue>()
  const byOrigin = createStopped<OriginLoad>(ready)
  const byTenant = createStopped<TenantLoad>(ready)
  const unread = new Set<TargetQueue>()

  return {
    ready,
    stop(queue, by) {
      const { origin } = queue.load
      if (by === 'unread') unread.add(queue)
      else if (by === 'origin') byOrigin.add(origin, queue)
      else byTenant.add(origin.tenant, queue)
    },
    wake(origin) {
      byOrigin.wake(origin)
      byTenant.wake(origin.tenant)
      // The share of each tenant follows from the slots that are left: another one's has grown too.
      byTenant.wakeNext()
    },
    wakeUnread: () => wakeFirst(ready, unread),
    wakeSome() {
      wakeFirst(ready, unread)
      byOrigin.wakeAll()
      byTenant.wakeAll()
    },
    hasStopped: () => byOrigin.some() || byTenant.some() || unread.size > 0,
  }
}

function wakeFirst(ready: Set<TargetQueue>, stopped: Set<TargetQueue>): void {
  let woken = 0
  for (const queue of stopped) {
    stopped.delete(queue)
    ready.add(queue)
    woken += 1
    if (woken === WOKEN) return
  }
}

/** Apart by standing: what stops slow targets need not stop new ones, nor those the quick ones. */
type Stopped = Record<Standing, Set<TargetQueue>>

function createStopped<Key>(ready: Set<TargetQueue>) {
  const stopped = new Map<Key, Stopped>()

  function wake(key: Key): void {
    const queues = stopped.get(key)
    if (queues === undefined) return
    wakeFirst(ready, queues.quick)
    wakeFirst(ready, queues.new)
    wakeFirst(ready, queues.slow)
    if (queues.quick.size + queues.new.size + queues.slow.size === 0) stopped.delete(key)
  }

  return {
    add(key: Key, queue: TargetQueue): void {
      let queues = stopped.get(key)
      if (queues === undefined) {
        queues = { quick: new Set(), new: new Set(), slow: new Set() }
        stopped.set(key, queues)
      }
      queues[standingOf(queue.load)].add(queue)
    },
    wake,
    wakeNext(): void {
      for (const [key, queues] of stopped) {
        wake(key)
        // It goes to the end: the next time it is another one's turn.
        if (stopped.delete(key)) stopped.set(key, queues)
        return
      }
    },
    wakeAll(): void {
      for (const key of stopped.keys()) wake(key)
    },
    some: () => stopped.size > 0,
  }
}
