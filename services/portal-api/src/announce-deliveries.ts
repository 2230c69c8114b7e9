/**
 * Announcing after a commit. What the bus does not take, or loses, is announced again when its
 * `due_at` comes.
 */
import { createAnnounceDue } from '@posthorn/bus/announce-due'
import type { Bus } from '@posthorn/bus/bus'
import type { DueDelivery, PollReady } from '@posthorn/contracts/topics'

export interface Announcements {
  work: readonly DueDelivery[]
  polls: readonly PollReady[]
}

export type AnnounceDeliveries = (announcements: Announcements) => void

export function createAnnounceDeliveries(bus: Pick<Bus, 'announce'>): AnnounceDeliveries {
  const announceDue = createAnnounceDue(bus)
  return ({ work, polls }) => {
    announceDue(work)
    if (polls.length > 0) bus.announce('poll.ready', polls)
  }
}
