/**
 * Sets and removes the client certificate of an endpoint. Neither makes a version, and removing may
 * be repeated.
 */
import type { ApiRequest, Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Endpoint } from '@posthorn/store/generated/client'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { endpointChanges, lockEndpoint, toEndpoint } from './endpoint-record.ts'
import { renewedSecrets } from './seal-columns.ts'
import { type MtlsColumns, NO_MTLS, sealMtls } from './seal-mtls.ts'

export interface SetMtlsDeps {
  database: Pick<Database, '$transaction'>
  seal: Pick<Seal, 'seal' | 'renew'>
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type MtlsHandlers = Pick<Handlers<'portal-api'>, 'setEndpointMtls' | 'removeEndpointMtls'>

export function createSetMtls(deps: SetMtlsDeps): MtlsHandlers {
  async function write(
    { caller, params, audit }: Pick<ApiRequest<unknown, undefined>, 'caller' | 'params' | 'audit'>,
    columns: MtlsColumns,
  ): Promise<Endpoint> {
    const { tenantId } = caller
    const id = params['id'] ?? ''
    const row = await deps.database.$transaction(async (transaction) => {
      const before = await lockEndpoint(transaction, caller, id)
      if (before === null) throw notFound('endpoint')
      const after = await transaction.endpoint.update({
        where: { tenantId_id: { tenantId, id } },
        data: { ...renewedSecrets(deps.seal, before), ...columns, updatedAt: new Date(deps.now()) },
      })
      const changes = endpointChanges(before, after)
      await recordAudit(transaction, audit, { resourceId: id, changes })
      await bumpConfigVersion(transaction, tenantId)
      return after
    })
    deps.announceChange(tenantId, 'secrets')
    return row
  }

  return {
    async setEndpointMtls(request) {
      const { caller, params, body } = request
      const { certPem: cert, keyPem: key } = body
      const names = { cert: 'certPem', key: 'keyPem' }
      const place = { tenantId: caller.tenantId, id: params['id'] ?? '' }
      const columns = sealMtls(deps.seal, place, { cert, key, names }, deps.now())
      return toEndpoint(await write(request, columns))
    },
    async removeEndpointMtls(request) {
      await write(request, NO_MTLS)
      return undefined
    },
  }
}
