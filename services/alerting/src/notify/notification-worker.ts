/**
 * Sends what waits, target by target: one notification after the other to each, and several targets
 * at once, of each tenant some at most. What a target does not take is tried again five times,
 * while it leaves the target alone for longer and longer; nothing of that concerns another target.
 *
 * A notification that was sent and could not be recorded, because the process was killed in
 * between, is sent once more when the lease of its target has ended.
 */
import { backoffMs } from '@posthorn/domain/backoff'
import { createTicker } from '@posthorn/async/ticker'
import { within } from '@posthorn/async/within'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import {
  finishNotification,
  postponeNotification,
  purgeNotifications,
  readDueNotifications,
  releaseTarget,
  type TakenTarget,
  takeTargets,
  type TargetKey,
  type WaitingNotification,
} from '@posthorn/store/alerting/notifications'
import type { Pool } from '@posthorn/store/pool'
import type { Delivered } from './deliver.ts'

export interface NotificationWorkerDeps {
  pool: Pool
  deliver(waiting: WaitingNotification): Promise<Delivered>
  log: Pick<Log, 'info' | 'warn'>
  metrics: Pick<Metrics, 'count'>
  /** A number in [0, 1). */
  random: () => number
}

export interface NotificationWorker {
  start(): void
  /** What is not sent within `timeoutMs` is sent again by another. */
  stop(timeoutMs: number): Promise<void>
}

/** How late a notification is at worst whose target is free. */
const EVERY_MS = 1_000
const PURGE_EVERY_MS = 60_000
const TARGETS_AT_ONCE = 32
/** A tenant whose targets all hang still leaves three quarters to the others. */
const TARGETS_OF_A_TENANT = 8
const NOTIFICATIONS_AT_ONCE = 20
/** So long one target is served at a time; the lease lasts longer. */
const SERVE_MS = 20_000
export const MAX_RETRIES = 5
/** Some 31 s in all: whoever waits for an alert does not want it an hour late. */
const BACK_OFF = { retryBackoffMs: 1_000, retryBackoffMax: 600_000, retryBackoffMult: 2 }

/** The longest that a target is left alone if it asks for no more. */
const MAX_PAUSE_MS = 30_000

export function createNotificationWorker(deps: NotificationWorkerDeps): NotificationWorker {
  const { pool, log } = deps
  const serving = new Map<Promise<void>, string>()
  const serve = createServe(deps)
  let after: TargetKey | null = null

  const sender = createTicker(
    {
      name: 'notifications',
      everyMs: EVERY_MS,
      onError: (error) => log.warn('notifications.not-taken', { error }),
    },
    async () => {
      const limit = TARGETS_AT_ONCE - serving.size
      if (limit === 0) {
        await Promise.race(serving.keys())
        return true
      }
      const busy = countOf(serving.values())
      const taken = await takeTargets(pool, { limit, share: TARGETS_OF_A_TENANT, after }, busy)
      after = taken.last
      for (const target of taken.targets) {
        const served: Promise<void> = serve(target).finally(() => serving.delete(served))
        serving.set(served, target.tenantId)
      }
      return taken.targets.length === limit
    },
  )
  const purger = createTicker(
    {
      name: 'old notifications',
      everyMs: PURGE_EVERY_MS,
      onError: (error) => log.warn('notifications.not-purged', { error }),
    },
    async () => (await purgeNotifications(pool)) > 0,
  )
  return {
    start() {
      sender.start()
      purger.start()
    },
    async stop(timeoutMs) {
      await Promise.all([
        purger.stop(),
        within(
          timeoutMs,
          sender.stop().then(() => Promise.all(serving.keys())),
        ),
      ])
    },
  }
}

function countOf(tenants: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const tenantId of tenants) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1)
  return counts
}

interface TargetHealth {
  failures: number
  pauseMs: number
}

/** Sends what is due for one target until it is done, or does not go on; never fails. */
function createServe({ pool, deliver, log, metrics, random }: NotificationWorkerDeps) {
  async function sendAll(target: TakenTarget): Promise<TargetHealth> {
    const until = performance.now() + SERVE_MS
    let { failures } = target
    for (;;) {
      const due = await readDueNotifications(pool, target, NOTIFICATIONS_AT_ONCE)
      for (const waiting of due) {
        const delivered = await deliver(waiting)
        await record(waiting, delivered)
        if (delivered.outcome === 'put-off') {
          return { failures, pauseMs: delivered.retryAfterMs ?? MAX_PAUSE_MS }
        }
        if (delivered.outcome === 'retry') {
          failures += 1
          return { failures, pauseMs: pauseAfter(failures, delivered.retryAfterMs) }
        }
        // It was asked and has answered.
        if (delivered.type !== 'none') failures = 0
        if (performance.now() > until) return { failures, pauseMs: 0 }
      }
      if (due.length < NOTIFICATIONS_AT_ONCE) return { failures, pauseMs: 0 }
    }
  }

  async function record(waiting: WaitingNotification, delivered: Delivered): Promise<void> {
    const { outcome, error, retryAfterMs } = delivered
    // It stays due, and goes when its target is not left alone any more.
    if (outcome === 'put-off') return
    const attempts = waiting.attempts + 1
    const isOver = outcome !== 'retry' || attempts > MAX_RETRIES
    if (isOver) {
      const delivery = outcome === 'retry' ? 'failed' : outcome
      await finishNotification(pool, waiting, { delivery, attempts, error })
    } else {
      const delayMs = backoffMs(BACK_OFF, attempts, random(), retryAfterMs ?? 0)
      await postponeNotification(pool, waiting, { attempts, delayMs, error })
    }
    report(waiting, delivered, attempts, isOver)
  }

  function report(
    { tenantId, id: notificationId, ruleId, connectorId, eventId }: WaitingNotification,
    { type, outcome, error }: Delivered,
    attempts: number,
    isOver: boolean,
  ): void {
    const ended = outcome === 'retry' && isOver ? 'failed' : outcome
    metrics.count('posthorn_notifications_total', { target: type, outcome: ended })
    const ids = { tenantId, notificationId, ruleId, connectorId, eventId }
    const fields = { ...ids, type, attempts, outcome: ended, ...(error === null ? {} : { error }) }
    if (ended === 'sent' || ended === 'dropped') log.info('notification', fields)
    else log.warn('notification', fields)
  }

  return async (target: TakenTarget): Promise<void> => {
    try {
      await releaseTarget(pool, target, await sendAll(target))
    } catch (error) {
      // Its lease ends, and whoever takes it then goes on.
      const { tenantId, target: targetId } = target
      log.warn('notifications.not-recorded', { tenantId, targetId, error })
    }
  }
}

/** A first failure may be the notification's own; after it the target is left alone for longer. */
function pauseAfter(failures: number, retryAfterMs: number | null): number {
  const own = failures < 2 ? 0 : backoffMs(BACK_OFF, failures - 1, 0.5)
  return Math.max(Math.min(own, MAX_PAUSE_MS), retryAfterMs ?? 0)
}
