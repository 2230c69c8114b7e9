/**
 * Deletes an endpoint. Its row stays, so that its attempts can be read back, but it gets no more
 * deliveries. Its pending deliveries are announced at once, whatever they wait for, and the
 * dispatcher ends them as dead.
 *
 * They are made due after the commit, so that no dispatcher still finds the endpoint. When that
 * fails the answer is an error; repeating the request makes them due, though it answers 404.
 */
import type { Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { endpointsOf } from './endpoint-record.ts'
import type { WakeTarget } from './set-endpoint-status.ts'

export interface DeleteEndpointDeps {
  database: Pick<Database, '$transaction'>
  wakeTarget: WakeTarget
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createDeleteEndpoint(
  deps: DeleteEndpointDeps,
): Handlers<'portal-api'>['deleteEndpoint'] {
  return async ({ caller, params, audit }) => {
    const { tenantId } = caller
    const where = { ...endpointsOf(caller), id: params['id'] ?? '' }
    const outcome = await deps.database.$transaction(async (transaction) => {
      const now = new Date(deps.now())
      const data = { deletedAt: now, updatedAt: now }
      const { count } = await transaction.endpoint.updateMany({ where, data })
      if (count === 1) {
        await recordAudit(transaction, audit, { resourceId: where.id })
        await bumpConfigVersion(transaction, tenantId)
        return 'deleted'
      }
      const deletedBefore = { ...where, deletedAt: { not: null } }
      return (await transaction.endpoint.count({ where: deletedBefore })) === 1 ? 'gone' : 'unknown'
    })
    // Announced before deliveries are made due, so that the dispatcher that takes them has heard of
    // the deletion.
    if (outcome === 'deleted') deps.announceChange(tenantId, 'endpoints')
    if (outcome !== 'unknown') await deps.wakeTarget(tenantId, where.id, true)
    if (outcome !== 'deleted') throw notFound('endpoint')
    return undefined
  }
}
