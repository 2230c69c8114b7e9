/**
 * Retention by a process of its own, a week later by its clock: the days before the one of a run are old, in which there is
 * what clocks that were set back have made. It may be killed at any of its steps.
 */
import { applyRetention } from '@posthorn/store/retention'
import type { ModelPools } from './model/pool.ts'
import { EPOCH_MS, type Owner, type VirtualTime } from './virtual-time.ts'

export interface RetentionDeps {
  time: VirtualTime
  pools: ModelPools
  tell(who: string, what: string): void
}

const DAY_MS = 86_400_000
/** A day is old when seven have passed since its end: of those here all before the one on which they run. */
const LATER_DAYS = 8

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
      const today = Math.floor((EPOCH_MS + time.now()) / DAY_MS)
      const now = new Date((today + LATER_DAYS) * DAY_MS)
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
