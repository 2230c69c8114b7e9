/**
 * Creates an endpoint with its first version. Its secret is shown in this answer only and stored
 * sealed; later answers show a hint.
 */
import { newId } from '@posthorn/domain/ids'
import { secretHint } from '@posthorn/domain/signature'
import { actorOf, type Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'
import { isGoneParent, notFound } from '../refusals.ts'
import { checkTransformation, type Compile } from '../transformations/check-transformation.ts'
import { checkConfig, checkRate, checkUrl } from './check-endpoint.ts'
import { checkStorage, type StorageRules } from './check-storage.ts'
import { checkTotals } from './check-totals.ts'
import { initialFields, newConfig } from './endpoint-config.ts'
import { endpointChanges, toEndpoint } from './endpoint-record.ts'
import { placeOf } from './seal-columns.ts'
import { mtlsOf } from './seal-mtls.ts'
import { changeCredentials, noStorage } from './storage-credentials.ts'

export interface CreateEndpointDeps extends StorageRules {
  database: Pick<Database, '$transaction'>
  seal: Seal
  compile: Compile
  /** `MAX_ENDPOINTS` */
  maxEndpoints: number
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createCreateEndpoint(
  deps: CreateEndpointDeps,
): Handlers<'portal-api'>['createEndpoint'] {
  return async ({ caller, body, audit }) => {
    const config = newConfig(body)
    checkConfig(config, body)
    checkRate(caller, body)
    checkUrl(config, deps.checkDestination)
    checkStorage(config, body, deps)
    await checkTransformation(caller, body.transformation, deps.compile)

    const secret = body.signingSecret ?? null
    const { tenantId } = caller
    const id = newId()
    const place = { tenantId, id }
    const mtls = mtlsOf(body, deps.seal, place, deps.now())
    const { storageConfig } = body
    const before = noStorage(place)
    const store = changeCredentials(deps.seal, before, config.storageConfig, storageConfig)
    const row = await deps.database
      .$transaction(async (transaction) => {
        const created = await transaction.endpoint.create({
          data: {
            tenantId,
            id,
            projectId: caller.homeProjectId,
            status: body.status ?? 'active',
            version: 1,
            config,
            signingSecret:
              secret === null ? null : deps.seal.seal(secret, placeOf('signingSecret', place)),
            signingSecretHint: secret === null ? null : secretHint(secret),
            ...mtls,
            ...store,
          },
        })
        const changes = initialFields(config)
        const changedBy = actorOf(caller)
        await transaction.endpointVersion.create({
          data: { tenantId, endpointId: id, version: 1, config, changes, changedBy },
        })
        const audited = { resourceId: id, changes: endpointChanges(null, created) }
        await recordAudit(transaction, audit, audited)
        await bumpConfigVersion(transaction, tenantId)
        await checkTotals(transaction, caller, deps.maxEndpoints, true)
        return created
      })
      .catch((error: unknown) => {
        throw isGoneParent(error) ? notFound('project') : error
      })
    deps.announceChange(tenantId, 'endpoints')
    return { ...toEndpoint(row), signingSecret: secret }
  }
}
