/**
 * Writes a change of an endpoint's row in the caller's transaction: the row itself, its next
 * version with the operational event about it, and the tenant's configuration version.
 */
import type { EndpointConfig } from '@posthorn/contracts/endpoints'
import { actorOf, type Caller } from '@posthorn/http/handlers'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Endpoint } from '@posthorn/store/generated/client'
import type { Transaction } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import { publishUpdated } from './after-change.ts'
import { checkTotals } from './check-totals.ts'
import type { MtlsColumns } from './seal-mtls.ts'
import { renewedSecrets, type SigningColumns } from './seal-columns.ts'
import type { StorageColumns } from './storage-credentials.ts'

export interface WriteChangeDeps {
  seal: Pick<Seal, 'renew'>
  /** `MAX_ENDPOINTS` */
  maxEndpoints: number
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export interface EndpointChange {
  config: EndpointConfig
  /** The fields of the configuration that differ. */
  changes: string[]
  /** Otherwise only unversioned columns change. */
  makesVersion: boolean
  /** Columns beside the configuration; null: these stay as they are. */
  columns: readonly (SigningColumns | MtlsColumns | StorageColumns | null)[]
}

export async function writeChange(
  transaction: Transaction,
  deps: WriteChangeDeps,
  caller: Caller,
  row: Endpoint,
  { config, changes, makesVersion, columns }: EndpointChange,
): Promise<Endpoint> {
  const { tenantId, id } = row
  const version = makesVersion ? row.version + 1 : row.version
  const after = await transaction.endpoint.update({
    where: { tenantId_id: { tenantId, id } },
    data: {
      config,
      version,
      updatedAt: new Date(deps.now()),
      ...renewedSecrets(deps.seal, row),
      ...Object.assign({}, ...columns),
    },
  })
  if (makesVersion) {
    const changedBy = actorOf(caller)
    await transaction.endpointVersion.create({
      data: { tenantId, endpointId: id, version, config, changes, changedBy },
    })
    await publishUpdated(transaction, after, changes)
  }
  await bumpConfigVersion(transaction, tenantId)
  await checkTotals(transaction, caller, deps.maxEndpoints, false)
  return after
}
