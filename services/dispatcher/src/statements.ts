/** The pipeline's statements that a dispatcher runs, bound to its pool. */
import { DUE_SOON_MS } from '@posthorn/contracts/topics'
import { type DisabledEndpoint, disableEndpoint } from '@posthorn/store/disable-endpoint'
import { type Cancellation, cancelDeliveries } from '@posthorn/store/pipeline/cancel-deliveries'
import * as hold from '@posthorn/store/pipeline/backlogs'
import * as leases from '@posthorn/store/pipeline/renew-leases'
import { showParked } from '@posthorn/store/pipeline/follow-mode'
import { type AttemptRecord, recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { loadPayloads } from '@posthorn/store/pipeline/sweep'
import { publishOperationalEvents } from '@posthorn/store/pipeline/operational-events'
import type { Pool } from '@posthorn/store/pool'

type Held = readonly leases.LeasedRow[]

/** @param tellDueSoon something is due sooner than it would be looked for */
export function bindStatements(pool: Pool, tellDueSoon: () => void) {
  return {
    async recordAttempts(rows: AttemptRecord[]) {
      const recorded = await recordAttempts(pool, rows)
      if (rows.some(({ next }) => next.state === 'waiting' && next.afterMs <= DUE_SOON_MS))
        tellDueSoon()
      return recorded
    },
    loadPayloads: (events: { tenantId: string; eventId: string }[]) => loadPayloads(pool, events),
    disableEndpoint: (endpoint: DisabledEndpoint) => disableEndpoint(pool, endpoint),
    cancelDeliveries: (rows: Cancellation[]) => cancelDeliveries(pool, rows),
    parkDeliveries: (rows: hold.DeliveryToPark[]) => hold.parkDeliveries(pool, rows),
    takeBacklog: (announced: Parameters<typeof hold.takeBacklog>[1]) =>
      hold.takeBacklog(pool, announced),
    takeParkedOfMany: (takes: readonly hold.TakeRequest[]) => hold.takeParkedOfMany(pool, takes),
    finishBacklog: (backlog: hold.OwnedBacklog, parks: number) =>
      hold.finishBacklog(pool, backlog, parks),
    async postponeBacklog(backlog: hold.OwnedBacklog, afterMs: number) {
      await hold.postponeBacklog(pool, backlog, afterMs)
      if (afterMs <= DUE_SOON_MS) tellDueSoon()
    },
    showParked: (backlog: hold.OwnedBacklog, limit: number) => showParked(pool, backlog, limit),
    tellOperationalEvents: (events: Parameters<typeof publishOperationalEvents>[1]) =>
      publishOperationalEvents(pool, events),
    beginTries: (held: Held) => leases.beginAttempts(pool, held),
    renewLeases: (held: Held) => leases.renewLeases(pool, held),
    async releaseLeases(held: Held) {
      await leases.releaseLeases(pool, held)
      tellDueSoon()
    },
  }
}
