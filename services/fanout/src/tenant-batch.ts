/**
 * A tenant's part of a batch: the jobs of its messages, what became of them, and which are put
 * back.
 */
import type { WaitingEvent } from '@posthorn/store/pipeline/fan-out'
import type { Plan } from './plan-event.ts'
import { type Job, MAX_BATCH } from './tenant-queues.ts'

export interface TenantBatch {
  tenantId: string
  jobs: Job[]
  /**
   * The tenant's oldest events go first, in the order of acceptance, whichever events the messages
   * name.
   */
  inOrder: boolean
  /** In the order of acceptance. */
  events: WaitingEvent[]
  /**
   * In order: how many of the oldest events another instance fanned out before they were read. As
   * many messages have let none through yet.
   */
  overtaken: number
  plans: Plan[]
  failed: FailedEvent[]
  /** The jobs that are put back into the queue. */
  left: Job[]
}

export interface FailedEvent {
  event: WaitingEvent
  error: unknown
}

export function toTenantBatch(tenantId: string, jobs: Job[], inOrder: boolean): TenantBatch {
  return { tenantId, jobs, inOrder, events: [], overtaken: 0, plans: [], failed: [], left: [] }
}

/** The jobs that are neither planned nor written when the first `count` events are. */
export function jobsLeftAfter(
  { jobs, inOrder, events, overtaken, failed }: TenantBatch,
  count: number,
): Job[] {
  if (!inOrder) {
    const after = new Set(events.slice(count).map(({ id }) => id))
    return jobs.filter(({ eventId }) => eventId !== null && after.has(eventId))
  }
  // They are announced again with the event that failed, or once that has been given up.
  if (failed.length > 0) return []
  const every = jobs.filter(({ eventId }) => eventId === null)
  const isMore = count < events.length || overtaken > 0
  if (every.length > 0) return isMore || count === MAX_BATCH ? every : []
  return count < events.length ? jobs.slice(count) : jobs.slice(count, count + overtaken)
}

/** In order a message says that there is one more event, not which one is next. */
export function eventsAskedFor(jobs: readonly Job[]): number {
  return jobs.some(({ eventId }) => eventId === null) ? MAX_BATCH : jobs.length
}
