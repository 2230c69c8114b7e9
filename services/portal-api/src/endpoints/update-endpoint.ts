/**
 * Changes an endpoint. A change of its configuration makes a version. A change of its secret or
 * client certificate makes none and takes effect at once, without a grace period. A body that
 * changes nothing leaves everything as it is.
 */
import type { PatchEndpoint } from '@posthorn/contracts/endpoints'
import { secretHint } from '@posthorn/domain/signature'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Endpoint } from '@posthorn/store/generated/client'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { checkTransformation, type Compile } from '../transformations/check-transformation.ts'
import { type AfterChange, publishUpdated } from './after-change.ts'
import { checkConfig, checkUrl } from './check-endpoint.ts'
import { checkStorage, type StorageRules } from './check-storage.ts'
import { checkTotals } from './check-totals.ts'
import { changedFields, mergeConfig } from './endpoint-config.ts'
import { configOf, lockEndpoint, toEndpoint } from './endpoint-record.ts'
import { placeOf, renewedSecrets } from './seal-columns.ts'
import { type MtlsColumns, mtlsOf } from './seal-mtls.ts'
import { changeCredentials } from './storage-credentials.ts'

export interface UpdateEndpointDeps extends StorageRules {
  database: Pick<Database, '$transaction'>
  seal: Seal
  compile: Compile
  /** `MAX_ENDPOINTS` */
  maxEndpoints: number
  announceChange: AnnounceChange
  afterChange: AfterChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createUpdateEndpoint(
  deps: UpdateEndpointDeps,
): Handlers<'portal-api'>['updateEndpoint'] {
  return async ({ caller, params, body }) => {
    // Done before the row is locked, because it may take a while.
    await checkTransformation(caller.tenantId, body.transformation, deps.compile)
    const { before, after } = await deps.database.$transaction(async (transaction) => {
      const before = await lockEndpoint(transaction, caller, params['id'] ?? '')
      if (before === null) throw notFound('endpoint')
      return { before, after: await change(transaction, caller, before, body) }
    })
    if (after !== before) deps.announceChange(caller.tenantId, 'endpoints')
    await deps.afterChange(before, after)
    return toEndpoint(after)
  }

  async function change(
    transaction: Transaction,
    caller: Caller,
    row: Endpoint,
    body: PatchEndpoint,
  ): Promise<Endpoint> {
    const former = configOf(row)
    const config = mergeConfig(former, body)
    checkConfig(config, body)
    checkStorage(config, body, deps)
    if (body.url !== undefined || body.deliveryMode !== undefined) {
      checkUrl(config, deps.checkDestination)
    }

    const changes = changedFields(former, config)
    const secret = secretChange(row, body.signingSecret)
    const mtls = mtlsChange(row, body)
    const target = former.storageConfig
    const { storageConfig: sink } = config
    const store = changeCredentials(deps.seal, { ...row, target }, sink, body.storageConfig)
    if (changes.length === 0 && secret === null && mtls === null && store === null) return row

    const { tenantId, id } = row
    const version = changes.length === 0 ? row.version : row.version + 1
    const after = await transaction.endpoint.update({
      where: { tenantId_id: { tenantId, id } },
      data: {
        config,
        version,
        updatedAt: new Date(deps.now()),
        ...renewedSecrets(deps.seal, row),
        ...secret,
        ...mtls,
        ...store,
      },
    })
    if (changes.length > 0) {
      const changedBy = `api-key:${caller.keyId}`
      await transaction.endpointVersion.create({
        data: { tenantId, endpointId: id, version, config, changes, changedBy },
      })
      await publishUpdated(transaction, after, changes)
    }
    await bumpConfigVersion(transaction, tenantId)
    await checkTotals(transaction, tenantId, deps.maxEndpoints, false)
    return after
  }

  /**
   * A secret that can't be opened, because its master key is lost, equals nothing, so setting
   * another one replaces it.
   */
  function isCurrent(
    row: Endpoint,
    field: 'signingSecret' | 'mtlsKey',
    secret: string | null,
  ): boolean {
    const sealed = row[field]
    if (sealed === null || secret === null) return sealed === secret
    try {
      return deps.seal.open(sealed, placeOf(field, row)) === secret
    } catch {
      return false
    }
  }

  /** null: the columns stay as they are. */
  function mtlsChange(row: Endpoint, body: PatchEndpoint): MtlsColumns | null {
    const columns = mtlsOf(body, deps.seal, row, deps.now())
    if (columns === undefined) return null
    const key =
      columns.mtlsKey === null ? null : deps.seal.open(columns.mtlsKey, placeOf('mtlsKey', row))
    const isSame = columns.mtlsCert === row.mtlsCert && isCurrent(row, 'mtlsKey', key)
    return isSame ? null : columns
  }

  /**
   * null: the columns stay as they are. A secret of null means that the tenant's global one signs.
   */
  function secretChange(row: Endpoint, secret: string | null | undefined): SecretColumns | null {
    if (secret === undefined) return null
    if (isCurrent(row, 'signingSecret', secret)) return null
    return {
      signingSecret: secret === null ? null : deps.seal.seal(secret, placeOf('signingSecret', row)),
      signingSecretHint: secret === null ? null : secretHint(secret),
      previousSigningSecret: null,
      previousValidUntil: null,
    }
  }
}

type SecretColumns = Pick<
  Endpoint,
  'signingSecret' | 'signingSecretHint' | 'previousSigningSecret' | 'previousValidUntil'
>
