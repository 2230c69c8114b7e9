/**
 * Pauses and resumes an endpoint. Both may be repeated: pausing a paused or disabled endpoint
 * changes nothing, and resuming an active one makes due again what waits for it, in case that
 * failed the first time. A resume also closes the endpoint's circuit, because the caller says that
 * it works. Neither makes a version.
 */
import type { EndpointStatus } from '@posthorn/contracts/endpoints'
import type { ApiRequest, Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Endpoint } from '@posthorn/store/generated/client'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import type { CloseCircuit } from './after-change.ts'
import { endpointChanges, lockEndpoint, toEndpoint } from './endpoint-record.ts'

/** Makes due at once what is parked at an endpoint; with `all`, also what waits for a back-off. */
export type WakeTarget = (tenantId: string, endpointId: string, all: boolean) => Promise<void>

export interface SetEndpointStatusDeps {
  database: Pick<Database, '$transaction'>
  wakeTarget: WakeTarget
  closeCircuit: CloseCircuit
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type StatusHandlers = Pick<Handlers<'portal-api'>, 'pauseEndpoint' | 'resumeEndpoint'>

export function createSetEndpointStatus(deps: SetEndpointStatusDeps): StatusHandlers {
  async function set(
    {
      caller,
      params,
      audit,
    }: Pick<ApiRequest<undefined, undefined>, 'caller' | 'params' | 'audit'>,
    from: readonly EndpointStatus[],
    to: EndpointStatus,
  ): Promise<Endpoint> {
    const { tenantId } = caller
    const id = params['id'] ?? ''
    const { before, after } = await deps.database.$transaction(async (transaction) => {
      const before = await lockEndpoint(transaction, caller, id)
      if (before === null) throw notFound('endpoint')
      if (!from.includes(before.status as EndpointStatus)) {
        await recordAudit(transaction, audit, { resourceId: id, changes: [] })
        return { before, after: before }
      }
      const after = await transaction.endpoint.update({
        where: { tenantId_id: { tenantId, id } },
        data: { status: to, disabledReason: null, updatedAt: new Date(deps.now()) },
      })
      const changes = endpointChanges(before, after)
      await recordAudit(transaction, audit, { resourceId: id, changes })
      await bumpConfigVersion(transaction, tenantId)
      return { before, after }
    })
    if (after !== before) deps.announceChange(tenantId, 'endpoints')
    return after
  }

  return {
    pauseEndpoint: async (request) => toEndpoint(await set(request, ['active'], 'paused')),
    resumeEndpoint: async (request) => {
      const row = await set(request, ['paused', 'disabled'], 'active')
      await deps.closeCircuit(row)
      await deps.wakeTarget(row.tenantId, row.id, false)
      return toEndpoint(row)
    },
  }
}
