/** Reads one version of an endpoint, a page of them, or the differences between two. */
import type { EndpointVersion } from '@posthorn/contracts/endpoint-versions'
import { badField } from '@posthorn/http/errors'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import type { EndpointVersion as Row } from '@posthorn/store/generated/client'
import type { Database } from '@posthorn/store/prisma'
import { notFound } from '../refusals.ts'
import { diffConfigs } from './diff-configs.ts'
import { configOf, endpointsOf, shownConfig } from './endpoint-record.ts'

export interface ReadVersionsDeps {
  database: Pick<Database, 'endpoint' | 'endpointVersion'>
}

type VersionHandlers = Pick<
  Handlers<'portal-api'>,
  'listEndpointVersions' | 'getEndpointVersion' | 'diffEndpointVersions'
>

export function createReadVersions({ database }: ReadVersionsDeps): VersionHandlers {
  async function requireEndpoint(caller: Caller, endpointId: string): Promise<void> {
    const where = { ...endpointsOf(caller), id: endpointId }
    if ((await database.endpoint.count({ where })) === 0) throw notFound('endpoint')
  }

  async function readVersion(caller: Caller, endpointId: string, version: number): Promise<Row> {
    const key = { tenantId: caller.tenantId, endpointId, version }
    const row = await database.endpointVersion.findUnique({
      where: { tenantId_endpointId_version: key },
    })
    if (row === null) throw notFound('version of the endpoint')
    return row
  }

  return {
    async listEndpointVersions({ caller, params, query }) {
      const endpointId = params['id'] ?? ''
      await requireEndpoint(caller, endpointId)
      const before = decodeCursor(query.cursor)
      const rows = await database.endpointVersion.findMany({
        where: {
          tenantId: caller.tenantId,
          endpointId,
          ...(before === null ? {} : { version: { lt: before } }),
        },
        orderBy: { version: 'desc' },
        take: query.limit + 1,
      })
      const shown = rows.slice(0, query.limit)
      const last = shown.at(-1)
      const hasMore = rows.length > shown.length
      const cursor = hasMore && last !== undefined ? encodeCursor(last.version) : null
      return { data: shown.map(toVersion), pagination: { hasMore, cursor } }
    },
    async getEndpointVersion({ caller, params }) {
      const endpointId = params['id'] ?? ''
      await requireEndpoint(caller, endpointId)
      return toVersion(await readVersion(caller, endpointId, Number(params['n'])))
    },
    async diffEndpointVersions({ caller, params, query }) {
      const endpointId = params['id'] ?? ''
      await requireEndpoint(caller, endpointId)
      const from = await readVersion(caller, endpointId, query.v1)
      const to = await readVersion(caller, endpointId, query.v2)
      return { v1: query.v1, v2: query.v2, changes: diffConfigs(configOf(from), configOf(to)) }
    },
  }
}

function toVersion(row: Row): EndpointVersion {
  return {
    version: row.version,
    config: shownConfig(configOf(row)),
    changedBy: row.changedBy,
    changedAt: row.changedAt.toISOString(),
    changes: row.changes,
  }
}

function encodeCursor(version: number): string {
  return Buffer.from(`v${version}`).toString('base64url')
}

/** The page has versions below this one; null without a cursor. */
function decodeCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^v[1-9]\d{0,8}$/.test(text) || Buffer.from(text).toString('base64url') !== cursor) {
    throw badField('cursor', 'must be a cursor as an earlier page gave it')
  }
  return Number(text.slice(1))
}
