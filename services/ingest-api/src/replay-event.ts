/** POST /events/:eventId/replay: queues again the deliveries that did not succeed. */
import { ApiError } from '@posthorn/contracts/errors'
import type { ApiRequest, RawJson } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { replayEvents } from '@posthorn/store/pipeline/replay-events'
import type { Pool } from '@posthorn/store/pool'
import type { Announce } from './announce.ts'
import { readEvent, toDetail } from './get-event.ts'
import { replayRefusal } from './replay-refusal.ts'

export function createReplayEvent(deps: { pool: Pool; announce: Announce }) {
  return async ({ caller, params, audit }: ApiRequest<undefined, undefined>): Promise<RawJson> => {
    const eventId = params.eventId as string
    await readEvent(deps.pool, caller, eventId)
    const replayed = await replayEvents(
      deps.pool,
      caller.tenantId,
      [eventId],
      async (client) => await recordAudit(client, audit, { resourceId: eventId }),
    )
    if (replayed.eventIds.size === 0) {
      throw new ApiError(
        'INVALID_STATE',
        replayRefusal(replayed.refusals) ??
          'no delivery of the event is dead or waits for its next attempt',
      )
    }
    deps.announce.replayed(replayed)
    return await toDetail(deps.pool, caller, await readEvent(deps.pool, caller, eventId))
  }
}
