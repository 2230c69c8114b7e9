/** Writes events in groups, and announces them once they are durable. */
import type { Bus } from '@posthorn/bus/bus'
import { unavailable } from '@posthorn/http/errors'
import type { AcceptOutcome, NewEvent } from '@posthorn/store/pipeline/accept-events'
import {
  type AcceptPools,
  createAcceptInGroups,
  type WriteOutcome,
} from '@posthorn/store/pipeline/accept-in-groups'
import type { Announce } from './announce.ts'
import { toAnnouncements } from './new-event.ts'

export interface WriteEvents {
  /** Throws UNAVAILABLE when too many events wait already. */
  write(event: NewEvent): Promise<AcceptOutcome>
  /** Resolves when no event waits. */
  idle(): Promise<void>
}

interface WriteEventsDeps extends AcceptPools {
  announce: Announce
  bus: Pick<Bus, 'waitMs'>
}

export function createWriteEvents(deps: WriteEventsDeps): WriteEvents {
  const announceAll = (events: readonly NewEvent[], outcomes: readonly WriteOutcome[]): void => {
    const announcements = toAnnouncements(events, outcomes)
    deps.announce.deliveries(announcements.deliveries)
    deps.announce.events(announcements.events)
  }
  const groups = createAcceptInGroups(deps, announceAll, deps.bus.waitMs)
  return {
    async write(event) {
      const accepted = await groups.accept(event)
      if (accepted === null) throw unavailable('too many events wait to be written; try again')
      return accepted
    },
    idle: () => groups.idle(),
  }
}
