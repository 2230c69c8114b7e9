/**
 * Announcing after a commit: it neither delays nor fails the answer. What is not taken, or is lost,
 * is announced again when its `due_at` comes.
 */
import { createAnnounceDue } from '@posthorn/bus/announce-due'
import type { Bus } from '@posthorn/bus/bus'
import type { DueDelivery, EventAccepted, PollReady } from '@posthorn/contracts/topics'

export interface Announce {
  deliveries(messages: readonly DueDelivery[]): void
  events(messages: readonly EventAccepted[]): void
  /** What a replay has queued again. */
  replayed(replayed: { work: readonly DueDelivery[]; polls: readonly PollReady[] }): void
}

export interface AnnounceDeps {
  bus: Pick<Bus, 'announce'>
  log: { warn(name: string, fields: Record<string, unknown>): void }
}

export function createAnnounce({ bus, log }: AnnounceDeps): Announce {
  function attempt(send: () => void): void {
    try {
      send()
    } catch (error) {
      log.warn('announce.failed', { error })
    }
  }
  const announceDue = createAnnounceDue(bus)
  function deliveries(messages: readonly DueDelivery[]): void {
    attempt(() => announceDue(messages))
  }
  return {
    deliveries,
    replayed({ work, polls }) {
      deliveries(work)
      if (polls.length > 0) attempt(() => bus.announce('poll.ready', polls))
    },
    events(messages) {
      if (messages.length > 0) attempt(() => bus.announce('event.accepted', messages))
    },
  }
}
