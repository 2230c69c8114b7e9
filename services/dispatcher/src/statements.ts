/** The pipeline's statements that a dispatcher runs, bound to its pool. */
import { DUE_SOON_MS } from '@posthorn/contracts/topics'
import { type DisabledEndpoint, disableEndpoint } from '@posthorn/store/disable-endpoint'
import * as backlogs from '@posthorn/store/pipeline/backlogs'
import { type Cancellation, cancelDeliveries } from '@posthorn/store/pipeline/cancel-deliveries'
import { showParked } from '@posthorn/store/pipeline/follow-mode'
import { publishOperationalEvents } from '@posthorn/store/pipeline/operational-events'
import { type AttemptRecord, recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import * as leases from '@posthorn/store/pipeline/renew-leases'
import { loadPayloads } from '@posthorn/store/pipeline/sweep'
import type { Pool } from '@posthorn/store/pool'

type LeasedRows = readonly leases.LeasedRow[]
export type Statements = ReturnType<typeof bindStatements>

/** @param announceDueSoon something is due sooner than the scheduler would look for it */
export function bindStatements(pool: Pool, announceDueSoon: () => void) {
  return {
    async recordAttempts(rows: AttemptRecord[]) {
      const recorded = await recordAttempts(pool, rows)
      if (rows.some(({ next }) => next.state === 'waiting' && next.afterMs <= DUE_SOON_MS))
        announceDueSoon()
      return recorded
    },
    loadPayloads: (events: { tenantId: string; eventId: string }[]) => loadPayloads(pool, events),
    disableEndpoint: (endpoint: DisabledEndpoint) => disableEndpoint(pool, endpoint),
    cancelDeliveries: (rows: Cancellation[]) => cancelDeliveries(pool, rows),
    parkDeliveries: (rows: backlogs.DeliveryToPark[]) => backlogs.parkDeliveries(pool, rows),
    takeBacklog: (announced: Parameters<typeof backlogs.takeBacklog>[1]) =>
      backlogs.takeBacklog(pool, announced),
    takeParkedOfMany: (takes: readonly backlogs.TakeRequest[]) =>
      backlogs.takeParkedOfMany(pool, takes),
    finishBacklog: (backlog: backlogs.OwnedBacklog, parks: number) =>
      backlogs.finishBacklog(pool, backlog, parks),
    async postponeBacklog(backlog: backlogs.OwnedBacklog, afterMs: number) {
      await backlogs.postponeBacklog(pool, backlog, afterMs)
      if (afterMs <= DUE_SOON_MS) announceDueSoon()
    },
    showParked: (backlog: backlogs.OwnedBacklog, limit: number) => showParked(pool, backlog, limit),
    publishOperationalEvents: (events: Parameters<typeof publishOperationalEvents>[1]) =>
      publishOperationalEvents(pool, events),
    beginAttempts: (rows: LeasedRows) => leases.beginAttempts(pool, rows),
    renewLeases: (rows: LeasedRows) => leases.renewLeases(pool, rows),
    async releaseLeases(rows: LeasedRows) {
      await leases.releaseLeases(pool, rows)
      announceDueSoon()
    },
  }
}
