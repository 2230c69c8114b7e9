/**
 * Retention by a process of its own whose clock is a week ahead, so that the days before the run's
 * day are old. Those days hold what was made while clocks were set back. The process may be killed
 * at any of its steps.
 */
import { isRetryable, isUnavailable } from '@posthorn/store/pool'
import { applyRetention } from '@posthorn/store/retention'
import type { ModelPools } from './model/pool.ts'
import { EPOCH_MS, type Owner, type VirtualTime } from './virtual-time.ts'

export interface RetentionDeps {
  time: VirtualTime
  pools: ModelPools
  tell(who: string, what: string): void
  violated(what: string): void
}

export const RETENTION_PROCESS = 'retention'

const DAY_MS = 86_400_000
/** A day is old seven days after its end; seen from here, all days before the run's day are. */
const LATER_DAYS = 8

/** @returns a function that runs retention once and resolves when it has ended or was killed */
export function createRetention({ time, pools, tell, violated }: RetentionDeps) {
  return (killedAfterMs: number): Promise<void> => {
    const owner: Owner = { name: RETENTION_PROCESS, isAlive: true, frozenUntil: 0, skewMs: 0 }
    const { promise, resolve } = Promise.withResolvers<void>()
    time.at(null, time.now() + killedAfterMs, () => {
      owner.isAlive = false
      pools.cut(owner)
      resolve()
    })
    time.at(owner, time.now(), () => {
      const today = Math.floor((EPOCH_MS + time.now()) / DAY_MS)
      const now = new Date((today + LATER_DAYS) * DAY_MS)
      void applyRetention(pools.poolOf(owner), now, { defaultPlan: 'free' }).then(
        ({ dropped, events }) => {
          tell(owner.name, `${dropped.join(', ')}; ${events} events by themselves`)
          resolve()
        },
        (error: unknown) => {
          // With a statement that the model does not know, every run would end here unseen.
          if (!isUnavailable(error) && !isRetryable(error))
            violated(`retention failed: ${String(error)}`)
          resolve()
        },
      )
    })
    return promise
  }
}
