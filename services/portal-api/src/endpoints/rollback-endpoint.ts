/**
 * Sets an endpoint to the configuration of one of its versions. This makes a new version, even when
 * nothing differs, and it is checked by today's rules. Secrets and client certificate have no
 * versions and stay as they are, and so do a store's credentials while the store is the same.
 */
import type { EndpointConfig, EndpointSchemas } from '@posthorn/contracts/endpoints'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import { refusal, toProblems } from '@posthorn/http/refusal'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { checkTransformation, type Compile } from '../transformations/check-transformation.ts'
import type { AfterChange } from './after-change.ts'
import { checkConfig, checkRate, checkUrl } from './check-endpoint.ts'
import { checkStorage, type StorageRules } from './check-storage.ts'
import { changedFields } from './endpoint-config.ts'
import {
  configOf,
  endpointChanges,
  endpointsOf,
  lockEndpoint,
  toEndpoint,
} from './endpoint-record.ts'
import { changeCredentials } from './storage-credentials.ts'
import { writeChange } from './write-change.ts'

export interface RollbackEndpointDeps extends StorageRules {
  database: Pick<Database, '$transaction' | 'endpoint' | 'endpointVersion'>
  /** The schema that new endpoints are checked against. */
  schema: Pick<EndpointSchemas['EndpointConfig'], 'safeParse'>
  seal: Seal
  compile: Compile
  /** `MAX_ENDPOINTS` */
  maxEndpoints: number
  announceChange: AnnounceChange
  afterChange: AfterChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createRollbackEndpoint(
  deps: RollbackEndpointDeps,
): Handlers<'portal-api'>['rollbackEndpoint'] {
  async function readVersion(caller: Caller, id: string, version: number): Promise<EndpointConfig> {
    const { tenantId } = caller
    const where = { ...endpointsOf(caller), id }
    if ((await deps.database.endpoint.count({ where })) === 0) throw notFound('endpoint')
    const row = await deps.database.endpointVersion.findUnique({
      where: { tenantId_endpointId_version: { tenantId, endpointId: id, version } },
    })
    if (row === null) throw notFound('version of the endpoint')
    return configOf(row)
  }

  async function check(caller: Caller, config: EndpointConfig): Promise<void> {
    const parsed = deps.schema.safeParse(config)
    if (!parsed.success) {
      throw refusal('BAD_REQUEST', 'the version', toProblems(parsed.error.issues))
    }
    checkConfig(config, config)
    checkRate(caller, config)
    checkUrl(config, deps.checkDestination)
    checkStorage(config, config, deps)
    await checkTransformation(caller, config.transformation, deps.compile)
  }

  return async ({ caller, params, audit }) => {
    const { tenantId } = caller
    const id = params['id'] ?? ''
    // Done before the row is locked: it may take a while, and a version never changes.
    const config = await readVersion(caller, id, Number(params['n']))
    await check(caller, config)
    const { before, after } = await deps.database.$transaction(async (transaction) => {
      const before = await lockEndpoint(transaction, caller, id)
      if (before === null) throw notFound('endpoint')
      const former = configOf(before)
      const credentials = { ...before, target: former.storageConfig }
      const store = changeCredentials(deps.seal, credentials, config.storageConfig, undefined)
      const after = await writeChange(transaction, deps, caller, before, {
        config,
        changes: changedFields(former, config),
        makesVersion: true,
        columns: [store],
      })
      const metadata = { toVersion: Number(params['n']) }
      const changes = endpointChanges(before, after)
      await recordAudit(transaction, audit, { resourceId: id, changes, metadata })
      return { before, after }
    })
    deps.announceChange(tenantId, 'endpoints')
    await deps.afterChange(before, after)
    return toEndpoint(after)
  }
}
