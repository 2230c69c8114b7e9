/**
 * Counts what tenants use, and tells whether their month's quota is used up. Both are looks into
 * memory: what was counted is written once a second, and what the other processes have counted is
 * read back with it. So a quota is passed by one second of traffic at most, and by what is being
 * accepted at the time.
 *
 * A tenant that this process has not seen yet is read first. Fails open: while Postgres is away
 * nothing is accepted anyway, and nobody is refused for what can't be known.
 */
import { createTicker } from '@posthorn/async/ticker'
import { timeOfId } from '@posthorn/domain/ids'
import { dayOf, monthOf, monthOfDay, startOfMonth } from '@posthorn/domain/usage-period'
import type { Pool } from '../pool.ts'
import { createQuotaBook } from './quota-book.ts'
import { createUsageCounts } from './usage-counts.ts'
import { readUsed, writeUsage } from './usage-rows.ts'

/** The `details` of QUOTA_EXCEEDED. */
export interface UsedQuota {
  limit: number
  used: number
  /** RFC 3339. */
  resetsAt: string
}

interface CountedRow {
  tenantId: string
  /** Its time is the time at which it counts. */
  id: string
}

export interface UsageMeter {
  /**
   * Whether so many events more would go beyond the quota; null: they would not. It is a promise
   * only for a tenant that was not seen before.
   * @param limit events a month; 0: no limit
   */
  quotaExceeded(
    tenantId: string,
    limit: number,
    events: number,
  ): UsedQuota | null | Promise<UsedQuota | null>
  /** Called once the event is durable, whatever became of the answer. */
  eventAccepted(event: CountedRow): void
  attemptRecorded(attempt: CountedRow): void
  /** Writes and reads now; called every second. */
  flush(): Promise<void>
}

export interface UsageMeterDeps {
  pool: Pool
  /** Postgres's time in ms. */
  now(): number
  log: { warn(name: string, fields: Record<string, unknown>): void }
}

export const FLUSH_MS = 1_000

export function createUsageMeter({ pool, now, log }: UsageMeterDeps): UsageMeter {
  const counts = createUsageCounts()
  const book = createQuotaBook()

  async function round(): Promise<void> {
    // Both at once: what this process has counted until now is in what is written, and so in what
    // is read.
    const totals = counts.changed()
    const questions = book.begin()
    try {
      await writeUsage(pool, counts.process(), totals)
      if (totals.length > 0) counts.written(totals)
      book.finish(questions, await readUsed(pool, questions))
    } catch (error) {
      book.fail(questions)
      throw error
    }
  }
  const flush = createRounds(round)

  function compare(tenantId: string, limit: number, events: number, month: number) {
    const used = book.used(tenantId, month)
    if (used === undefined) return undefined
    return used + events > limit ? toUsedQuota(limit, used, month) : null
  }

  async function readFirst(
    tenantId: string,
    limit: number,
    events: number,
  ): Promise<UsedQuota | null> {
    await flush().catch((error: unknown) => log.warn('usage.not-known', { tenantId, error }))
    return compare(tenantId, limit, events, monthOf(now())) ?? null
  }

  return {
    quotaExceeded(tenantId, limit, events) {
      if (limit === 0) return null
      const known = compare(tenantId, limit, events, monthOf(now()))
      return known === undefined ? readFirst(tenantId, limit, events) : known
    },
    eventAccepted({ tenantId, id }) {
      const day = dayOf(timeOfId(id))
      counts.add('events', tenantId, day)
      book.add(tenantId, monthOfDay(day))
    },
    attemptRecorded({ tenantId, id }) {
      counts.add('attempts', tenantId, dayOf(timeOfId(id)))
    },
    flush,
  }
}

function toUsedQuota(limit: number, used: number, month: number): UsedQuota {
  return { limit, used, resetsAt: startOfMonth(month + 1).toISOString() }
}

/**
 * One round at a time. Who asks while one is under way waits for the next, which knows what has
 * happened until then, and which all of them share.
 */
function createRounds(round: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null
  let following: Promise<void> | null = null
  function run(): Promise<void> {
    if (underWay === null) {
      underWay = round().finally(() => {
        underWay = null
      })
      return underWay
    }
    const next = (): Promise<void> => {
      following = null
      return run()
    }
    following ??= underWay.then(next, next)
    return following
  }
  return run
}

/** What keeps a meter going: to be started before the services that count, and stopped after. */
export function createUsageTicker(
  meter: Pick<UsageMeter, 'flush'>,
  log: UsageMeterDeps['log'],
): { name: string; start(): Promise<void>; stop(): Promise<void> } {
  const onError = (error: unknown): void => log.warn('usage.not-written', { error })
  const ticker = createTicker({ name: 'usage', everyMs: FLUSH_MS, onError }, meter.flush)
  return {
    name: 'usage',
    start: async () => ticker.start(),
    async stop() {
      await ticker.stop()
      await meter.flush().catch(onError)
    },
  }
}
