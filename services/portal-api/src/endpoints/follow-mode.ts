/**
 * Moves waiting deliveries when an endpoint's delivery mode changes: what was to be sent becomes
 * visible to polls, and what was visible is sent. When that fails the change stands, and the check
 * of each minute moves them.
 */
import type { Log } from '@posthorn/runtime/log'
import type { Endpoint } from '@posthorn/store/generated/client'
import { followMode } from '@posthorn/store/pipeline/follow-mode'
import type { Pool } from '@posthorn/store/pool'

export type FollowMode = (before: Endpoint, after: Endpoint) => Promise<void>

export function createFollowMode(deps: {
  pool: Pool
  /** Deliveries that waited for their next attempt are due now, or visible. */
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
