/**
 * POST /poll/ack: fetched events become delivered. It may be repeated, and an event can be
 * acknowledged until it is dead. Ids of events that are neither open nor delivered at the endpoint
 * are reported as not found.
 */
import type { AckPolled, Acknowledged } from '@posthorn/contracts/polls'
import { isUuid } from '@posthorn/domain/ids'
import type { ApiRequest } from '@posthorn/http/handlers'
import { acknowledge } from '@posthorn/store/pipeline/acknowledge'
import type { Pool } from '@posthorn/store/pool'
import { findPolled } from './find-polled.ts'

export function createAckPolled(deps: { pool: Pool; announceDueSoon(): void }) {
  return async ({ caller, body }: ApiRequest<AckPolled, undefined>): Promise<Acknowledged> => {
    const endpointId = body.endpoint_id
    await findPolled(deps.pool, caller, endpointId)
    const requested = [...new Set(body.event_ids.map((id) => (isUuid(id) ? id.toLowerCase() : id)))]
    const target = { tenantId: caller.tenantId, endpointId }
    const delivered = await acknowledge(deps.pool, target, requested.filter(isUuid))
    // The next deliveries of their lanes are due now.
    if (delivered.size > 0) deps.announceDueSoon()
    return {
      acknowledged: requested.filter((id) => delivered.has(id)),
      notFound: requested.filter((id) => !delivered.has(id)),
    }
  }
}
