/**
 * Removes what has ended and is kept no longer, though not before it is counted. It runs hourly, on
 * one instance at a time.
 */
import type { PlanName } from '@posthorn/domain/plans'
import type { Log } from '@posthorn/runtime/log'
import type { Pool } from '@posthorn/store/pool'
import { purgeEndpoints } from '@posthorn/store/purge-endpoints'
import { applyRetention, type RetentionPosition } from '@posthorn/store/retention'
import { recountUsage } from '@posthorn/store/usage/recount-usage'
import { removeOld } from './remove-old.ts'

export interface RetentionConfig {
  /** The plan of tenants without a subscription. */
  defaultPlan: PlanName
}

export interface RetentionDeps {
  pool: Pool
  log: Pick<Log, 'info'>
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

/** @returns a round, which answers whether there is more to do at once */
export function createApplyRetention(
  { defaultPlan }: RetentionConfig,
  { pool, log, now }: RetentionDeps,
): () => Promise<boolean> {
  let startAt: RetentionPosition | null = null
  return async () => {
    const recounted = await recountUsage(pool, new Date(now()))
    if (recounted.days.length > 0) log.info('usage.recounted', { days: recounted.days })
    const { next, ...gone } = await applyRetention(pool, new Date(now()), {
      defaultPlan,
      countedUntil: recounted.countedUntil,
      startAt,
    })
    startAt = next
    const endpoints = await purgeEndpoints(pool)
    const old = await removeOld(pool, now())
    const { dropped, ...deleted } = gone
    const counts = { ...deleted, endpoints, ...old }
    if (dropped.length > 0 || Object.values(counts).some((count) => count > 0))
      log.info('retention.applied', { dropped, ...counts })
    return next !== null || recounted.more
  }
}
