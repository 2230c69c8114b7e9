/**
 * Changes an endpoint. A change of its configuration makes a version. A change of its secret or
 * client certificate makes none and takes effect at once, without a grace period. A body that
 * changes nothing leaves everything as it is.
 */
import type { PatchEndpoint } from '@posthorn/contracts/endpoints'
import { secretHint } from '@posthorn/domain/signature'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Endpoint } from '@posthorn/store/generated/client'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { checkTransformation, type Compile } from '../transformations/check-transformation.ts'
import type { AfterChange } from './after-change.ts'
import { checkConfig, checkRate, checkUrl } from './check-endpoint.ts'
import { checkStorage, type StorageRules } from './check-storage.ts'
import { changedFields, mergeConfig } from './endpoint-config.ts'
import { configOf, endpointChanges, lockEndpoint, toEndpoint } from './endpoint-record.ts'
import { placeOf, type SigningColumns } from './seal-columns.ts'
import { type MtlsColumns, mtlsOf } from './seal-mtls.ts'
import { changeCredentials } from './storage-credentials.ts'
import { writeChange } from './write-change.ts'

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
  return async ({ caller, params, body, audit }) => {
    checkRate(caller, body)
    // Done before the row is locked, because it may take a while.
    await checkTransformation(caller, body.transformation, deps.compile)
    const { before, after } = await deps.database.$transaction(async (transaction) => {
      const before = await lockEndpoint(transaction, caller, params['id'] ?? '')
      if (before === null) throw notFound('endpoint')
      const after = await change(transaction, caller, before, body)
      const changes = endpointChanges(before, after)
      await recordAudit(transaction, audit, { resourceId: before.id, changes })
      return { before, after }
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
    const secret = secretChange(deps.seal, row, body.signingSecret)
    const mtls = mtlsChange(deps.seal, row, body, deps.now())
    const target = former.storageConfig
    const { storageConfig: sink } = config
    const store = changeCredentials(deps.seal, { ...row, target }, sink, body.storageConfig)
    const columns = [secret, mtls, store]
    if (changes.length === 0 && columns.every((one) => one === null)) return row
    const makesVersion = changes.length > 0
    return await writeChange(transaction, deps, caller, row, {
      config,
      changes,
      makesVersion,
      columns,
    })
  }
}

/**
 * A secret that can't be opened, because its master key is lost, equals nothing, so setting another
 * one replaces it.
 */
function isCurrent(
  seal: Pick<Seal, 'open'>,
  row: Endpoint,
  field: 'signingSecret' | 'mtlsKey',
  secret: string | null,
): boolean {
  const sealed = row[field]
  if (sealed === null || secret === null) return sealed === secret
  try {
    return seal.open(sealed, placeOf(field, row)) === secret
  } catch {
    return false
  }
}

/** null: the columns stay as they are. */
function mtlsChange(
  seal: Seal,
  row: Endpoint,
  body: PatchEndpoint,
  now: number,
): MtlsColumns | null {
  const columns = mtlsOf(body, seal, row, now)
  if (columns === undefined) return null
  const key = columns.mtlsKey === null ? null : seal.open(columns.mtlsKey, placeOf('mtlsKey', row))
  const isSame = columns.mtlsCert === row.mtlsCert && isCurrent(seal, row, 'mtlsKey', key)
  return isSame ? null : columns
}

/**
 * null: the columns stay as they are. A secret of null means that the tenant's global one signs.
 */
function secretChange(
  seal: Seal,
  row: Endpoint,
  secret: string | null | undefined,
): SigningColumns | null {
  if (secret === undefined) return null
  if (isCurrent(seal, row, 'signingSecret', secret)) return null
  return {
    signingSecret: secret === null ? null : seal.seal(secret, placeOf('signingSecret', row)),
    signingSecretHint: secret === null ? null : secretHint(secret),
    previousSigningSecret: null,
    previousValidUntil: null,
  }
}
