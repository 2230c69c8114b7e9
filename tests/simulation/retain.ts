/** Retention by a process of its own, by whose clock all of a run is long ago; it may be killed at any of its steps. */
import { applyRetention } from '@posthorn/store/retention'
import type { ModelPools } from './model/pool.ts'
import { EPOCH_MS, type Owner, type VirtualTime } from './virtual-time.ts'

export interface RetentionDeps {
  time: VirtualTime
  pools: ModelPools
  tell(who: string, what: string): void
}

/** Longer than anybody here keeps anything. */
const LATER_MS = 40 * 86_400_000

/** @returns runs it once; resolves when it has ended or been killed */
export function createRetention({ time, pools, tell }: RetentionDeps) {
  return (killedAfterMs: number): Promise<void> => {
    const owner: Owner = { name: 'retention', isAlive: true, frozenUntil: 0, skewMs: 0 }
    const { promise, resolve } = Promise.withResolvers<void>()
    time.at(null, time.now() + killedAfterMs, () => {
      owner.isAlive = false
      pools.cut(owner)
      resolve()
    })
    time.at(owner, time.now(), () => {
      const now = new Date(EPOCH_MS + time.now() + LATER_MS)
      void applyRetention(pools.poolOf(owner), now).then(
        ({ dropped, events }) => {
          tell(owner.name, `${dropped.join(', ')}; ${events} events by themselves`)
          resolve()
        },
        () => resolve(),
      )
    })
    return promise
  }
}
