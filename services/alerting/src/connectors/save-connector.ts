/** Creates, changes and deletes connectors, each in one transaction. */
import type { CreateConnector, UpdateConnector } from '@posthorn/contracts/connectors'
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import type { ApiRequest, Handlers } from '@posthorn/http/handlers'
import {
  countConnectors,
  type ConnectorRow,
  deleteConnector,
  findConnector,
  insertConnector,
  markConfigChanged,
  rewriteConnector,
  rulesNaming,
} from '@posthorn/store/alerting/connectors'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Pool } from '@posthorn/store/pool'
import { withRetries } from '@posthorn/store/repeat'
import type { Seal } from '@posthorn/store/seal'
import { inTransaction, type TransactionClient } from '@posthorn/store/transaction'
import { isGoneParent, notFound } from '../refusals.ts'
import { checkConfig, type CheckConnectorDeps, checkConnectorTemplate } from './check-connector.ts'
import { configAt, openConfig, toConnector } from './connector-record.ts'

export interface SaveConnectorDeps extends CheckConnectorDeps {
  pool: Pool
  seal: Seal
}

type SaveHandlers = Pick<
  Handlers<'alerting'>,
  'createConnector' | 'updateConnector' | 'deleteConnector'
>
type Asked = Pick<ApiRequest<unknown, unknown>, 'caller' | 'params' | 'audit'>

export const MAX_CONNECTORS = 100

export function createSaveConnector(deps: SaveConnectorDeps): SaveHandlers {
  const { pool, seal } = deps

  async function create({ caller, audit }: Asked, body: CreateConnector): Promise<ConnectorRow> {
    const { tenantId, projectId } = caller
    const key = { tenantId, id: newId() }
    const config = checkConfig(deps, body.type, body.config, null)
    const template = checkConnectorTemplate(deps, body.template, null)
    const { name, type, eventTypes = [] } = body
    const sealed = seal.seal(JSON.stringify(config), configAt(key))
    const row = { ...key, projectId, name, type, config: sealed, template, eventTypes }
    return await transact(pool, async (client) => {
      const created = await insertConnector(client, row)
      if (created === null) throw nameTaken(name)
      if ((await countConnectors(client, tenantId)) > MAX_CONNECTORS) throw tooMany()
      await recordAudit(client, audit, {
        resourceId: created.id,
        changes: changesOf(null, toConnector(created, seal)),
      })
      if (eventTypes.length > 0) await markConfigChanged(client, tenantId)
      return created
    })
  }

  async function update(
    { caller, params, audit }: Asked,
    body: UpdateConnector,
  ): Promise<ConnectorRow> {
    return await transact(pool, async (client) => {
      const former = await findConnector(client, caller, params['name'] ?? '', 'FOR UPDATE')
      if (former === null) throw notFound('connector')
      const known = openConfig(seal, former)
      const config = checkConfig(deps, former.type, body.config ?? {}, known)
      const changed = await rewriteConnector(client, {
        ...former,
        config: seal.seal(JSON.stringify(config), configAt(former)),
        template: checkConnectorTemplate(deps, body.template, former.template),
        eventTypes: body.eventTypes ?? former.eventTypes,
      })
      await recordAudit(client, audit, {
        resourceId: former.id,
        changes: changesOf(toConnector(former, seal), toConnector(changed, seal)),
      })
      if (body.eventTypes !== undefined) await markConfigChanged(client, former.tenantId)
      return changed
    })
  }

  return {
    createConnector: async (request) => toConnector(await create(request, request.body), seal),
    updateConnector: async (request) => toConnector(await update(request, request.body), seal),
    async deleteConnector({ caller, params, audit }) {
      await transact(pool, async (client) => {
        const former = await findConnector(client, caller, params['name'] ?? '', 'FOR UPDATE')
        if (former === null) throw notFound('connector')
        await refuseWhileNamed(client, former)
        await deleteConnector(client, former)
        await recordAudit(client, audit, {
          resourceId: former.id,
          changes: changesOf(toConnector(former, seal), null),
        })
        if (former.eventTypes.length > 0) await markConfigChanged(client, former.tenantId)
        return former
      })
      return undefined
    },
  }
}

/** A rule that is being made with the connector has locked it, or does not find it any more. */
async function refuseWhileNamed(
  client: TransactionClient,
  { tenantId, name }: ConnectorRow,
): Promise<void> {
  const rules = await rulesNaming(client, tenantId, name)
  if (rules.length === 0) return
  const message = `alert rules notify by this connector: ${rules.join(', ')}; change them first`
  throw new ApiError('INVALID_STATE', message, { details: { rules } })
}

function nameTaken(name: string): ApiError {
  return new ApiError('CONFLICT', `there is a connector named ${name}`, {
    details: [{ path: 'name', message: 'is taken' }],
  })
}

function tooMany(): ApiError {
  return new ApiError('INVALID_STATE', `a workspace has at most ${MAX_CONNECTORS} connectors`, {
    details: { limit: MAX_CONNECTORS },
  })
}

async function transact(
  pool: Pool,
  work: (client: TransactionClient) => Promise<ConnectorRow>,
): Promise<ConnectorRow> {
  try {
    return (await withRetries(() => inTransaction(pool, work))) as ConnectorRow
  } catch (error) {
    throw isGoneParent(error) ? notFound('project') : error
  }
}
