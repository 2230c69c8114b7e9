/** Lists API keys, revoked and expired ones included. */
import type { Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import type { Database } from '@posthorn/store/prisma'
import { pageOf } from '../list-page.ts'
import { apiKeysOf, toApiKey } from './api-key-record.ts'

export interface ListApiKeysDeps {
  database: Pick<Database, 'apiKey'>
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createListApiKeys(deps: ListApiKeysDeps): Handlers<'portal-api'>['listApiKeys'] {
  return async ({ caller, query }) => {
    const rows = await deps.database.apiKey.findMany(pageOf(apiKeysOf(caller), query))
    const now = deps.now()
    return toPage(rows, query.limit, (row) => toApiKey(row, now))
  }
}
