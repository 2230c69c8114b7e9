/** The pipeline's statements that a dispatcher runs, bound to its pool. */
import { type DisabledEndpoint, disableEndpoint } from '@posthorn/store/disable-endpoint'
import { type Cancellation, cancelDeliveries } from '@posthorn/store/pipeline/end-deliveries'
import * as hold from '@posthorn/store/pipeline/hold'
import * as leases from '@posthorn/store/pipeline/leases'
import { showParked } from '@posthorn/store/pipeline/follow-mode'
import { type AttemptRecord, recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { loadPayloads } from '@posthorn/store/pipeline/sweep'
import { acceptNotices, readDeadEvents } from '@posthorn/store/pipeline/accept-notices'
import type { Pool } from '@posthorn/store/pool'

type Held = readonly leases.Held[]

export function bindStatements(pool: Pool) {
  return {
    recordAttempts: (rows: AttemptRecord[]) => recordAttempts(pool, rows),
    loadPayloads: (events: { tenantId: string; eventId: string }[]) => loadPayloads(pool, events),
    disableEndpoint: (endpoint: DisabledEndpoint) => disableEndpoint(pool, endpoint),
    cancelDeliveries: (rows: Cancellation[]) => cancelDeliveries(pool, rows),
    parkDeliveries: (rows: hold.Parking[]) => hold.parkDeliveries(pool, rows),
    takeBacklog: (announced: Parameters<typeof hold.takeBacklog>[1]) =>
      hold.takeBacklog(pool, announced),
    takeParked: (backlog: hold.HeldBacklog, limit: number) => hold.takeParked(pool, backlog, limit),
    finishBacklog: (backlog: hold.HeldBacklog, parks: number) =>
      hold.finishBacklog(pool, backlog, parks),
    postponeBacklog: (backlog: hold.HeldBacklog, afterMs: number) =>
      hold.postponeBacklog(pool, backlog, afterMs),
    showParked: (backlog: hold.HeldBacklog, limit: number) => showParked(pool, backlog, limit),
    acceptNotices: (notices: Parameters<typeof acceptNotices>[1]) => acceptNotices(pool, notices),
    readDeadEvents: (events: Parameters<typeof readDeadEvents>[1]) => readDeadEvents(pool, events),
    beginTries: (held: Held) => leases.beginTries(pool, held),
    renewLeases: (held: Held) => leases.renewLeases(pool, held),
    releaseLeases: (held: Held) => leases.releaseLeases(pool, held),
  }
}
