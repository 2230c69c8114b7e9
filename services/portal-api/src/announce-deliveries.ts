/** Announcing after a commit. What the bus does not take, or loses, is announced again when its `due_at` comes. */
import type { Bus } from '@posthorn/bus/bus'
import { type DueDelivery, dueTopicOf, type PollReady } from '@posthorn/contracts/topics'

export interface Announcements {
  work: readonly DueDelivery[]
  polls: readonly PollReady[]
}

export type AnnounceDeliveries = (announcements: Announcements) => void

export function createAnnounceDeliveries(bus: Pick<Bus, 'announce'>): AnnounceDeliveries {
  return ({ work, polls }) => {
    for (const [topic, group] of Map.groupBy(work, dueTopicOf)) bus.announce(topic, group)
    if (polls.length > 0) bus.announce('poll.ready', polls)
  }
}
