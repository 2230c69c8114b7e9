/** Reads one endpoint, or a page of them. */
import type { Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import type { Database } from '@posthorn/store/prisma'
import { pageOf } from '../list-page.ts'
import { notFound } from '../refusals.ts'
import { endpointsOf, toEndpoint } from './endpoint-record.ts'

export interface ReadEndpointsDeps {
  database: Pick<Database, 'endpoint'>
}

type ReadHandlers = Pick<Handlers<'portal-api'>, 'listEndpoints' | 'getEndpoint'>

export function createReadEndpoints({ database }: ReadEndpointsDeps): ReadHandlers {
  return {
    async listEndpoints({ caller, query }) {
      const rows = await database.endpoint.findMany(pageOf(endpointsOf(caller), query))
      return toPage(rows, query.limit, toEndpoint)
    },
    async getEndpoint({ caller, params }) {
      const where = { ...endpointsOf(caller), id: params['id'] ?? '' }
      const row = await database.endpoint.findFirst({ where })
      if (row === null) throw notFound('endpoint')
      return toEndpoint(row)
    },
  }
}
