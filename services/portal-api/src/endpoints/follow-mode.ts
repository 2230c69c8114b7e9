/**
 * What waits at an endpoint follows the mode that it is in. After a change of the mode it is turned over at once: what was
 * to be sent becomes visible to polls, what was visible is sent. When that fails, the change stands all the same, and the
 * re-check of each minute turns it over.
 */
import type { Log } from '@posthorn/runtime/log'
import type { Endpoint } from '@posthorn/store/generated/client'
import { followMode } from '@posthorn/store/pipeline/follow-mode'
import type { Pool } from '@posthorn/store/pool'

export type FollowMode = (before: Endpoint, after: Endpoint) => Promise<void>

export function createFollowMode(deps: {
  pool: Pool
  /** What waited for its next try is due, or visible. */
  announceDueSoon(): void
  log: Pick<Log, 'warn'>
}): FollowMode {
  return async (before, { tenantId, id: endpointId, deliveryMode }) => {
    if (before.deliveryMode === deliveryMode) return
    try {
      await followMode(deps.pool, { tenantId, endpointId })
      deps.announceDueSoon()
    } catch (error) {
      deps.log.warn('endpoint.mode-not-followed', { tenantId, endpointId, deliveryMode, error })
    }
  }
}
