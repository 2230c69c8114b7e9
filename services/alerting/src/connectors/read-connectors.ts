/** Reads connectors. */
import type { Handlers } from '@posthorn/http/handlers'
import { decodeCursor, toPage } from '@posthorn/http/page'
import { findConnector, listConnectors } from '@posthorn/store/alerting/connectors'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { notFound } from '../refusals.ts'
import { toConnector } from './connector-record.ts'

export interface ReadConnectorsDeps {
  pool: Pick<Pool, 'query'>
  seal: Pick<Seal, 'open'>
}

type ReadHandlers = Pick<Handlers<'alerting'>, 'listConnectors' | 'getConnector'>

export function createReadConnectors({ pool, seal }: ReadConnectorsDeps): ReadHandlers {
  return {
    async listConnectors({ caller, query }) {
      const after = decodeCursor(query.cursor)
      const rows = await listConnectors(pool, caller, after, query.limit + 1)
      return toPage(rows, query.limit, (row) => toConnector(row, seal))
    },
    async getConnector({ caller, params }) {
      const row = await findConnector(pool, caller, params['name'] ?? '')
      if (row === null) throw notFound('connector')
      return toConnector(row, seal)
    },
  }
}
