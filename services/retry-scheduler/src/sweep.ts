/**
 * One round of the sweep: leases what is due and announces it, as long as the bus takes messages.
 * What the bus does not take is due again when its lease ends.
 */
import {
  DUE_SOON_MS,
  type DeliveryDue,
  type EventAccepted,
  type PollReady,
} from '@posthorn/contracts/topics'
import type { Swept } from '@posthorn/store/pipeline/sweep'

export interface SweepDeps {
  sweepDue(limit: number): Promise<Swept>
  writable(): boolean
  announceEvents(messages: readonly EventAccepted[]): void
  announceDue(messages: readonly DeliveryDue[]): void
  announcePolls(messages: readonly PollReady[]): void
  count(kind: 'event' | 'delivery' | 'backlog' | 'poll', by: number): void
}

/**
 * Rows per statement: at 30 us a row some 15 ms, so that a sweep never delays other statements for
 * long.
 */
export const SWEEP_LIMIT = 500

/**
 * A back-off of 100 ms, the shortest, ends at most this late. An idle sweep costs 0.1 ms.
 */
export const SWEEP_MS = 100

/**
 * @returns true when there is more to do at once; else in how many ms to look again, unless
 * `due.soon` comes before
 */
export async function sweep(deps: SweepDeps): Promise<true | number> {
  if (!deps.writable()) return SWEEP_MS
  const swept = await deps.sweepDue(SWEEP_LIMIT)
  if (swept.events.length > 0) deps.announceEvents(swept.events)
  deps.announceDue([...swept.backlogs, ...swept.deliveries])
  if (swept.polls.length > 0) deps.announcePolls(swept.polls)
  deps.count('event', swept.events.length)
  deps.count('delivery', swept.deliveries.length)
  deps.count('backlog', swept.backlogs.length)
  deps.count('poll', swept.polls.length)
  if (swept.rows === SWEEP_LIMIT) return true
  return swept.rows > 0 ? SWEEP_MS : restMs(swept.nextInMs)
}

/**
 * Until the next row is due, if that is soon. What is written meanwhile may be due in `DUE_SOON_MS`
 * without being announced by `due.soon`, so the rest is never longer.
 */
function restMs(nextInMs: number | null): number {
  // A timer may fire early by a part of a millisecond.
  const untilNext = Math.ceil(nextInMs ?? DUE_SOON_MS) + 1
  return Math.min(DUE_SOON_MS, Math.max(SWEEP_MS, untilNext))
}
