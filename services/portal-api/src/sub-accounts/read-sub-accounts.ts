/** Reads a sub-account, or a page of them by their names and status. */
import type { SubAccountListQuery } from '@posthorn/contracts/sub-accounts'
import type { Handlers } from '@posthorn/http/handlers'
import { decodeCursor, toPage } from '@posthorn/http/page'
import type { Database } from '@posthorn/store/prisma'
import type { Pool } from '@posthorn/store/pool'
import { notFound } from '../refusals.ts'
import { type SubAccountRow, toSubAccount } from './sub-account-record.ts'

export interface ReadSubAccountsDeps {
  database: Pick<Database, 'tenant'>
  pool: Pool
}

type ReadHandlers = Pick<Handlers<'portal-api'>, 'listSubAccounts' | 'getSubAccount'>

export function createReadSubAccounts({ database, pool }: ReadSubAccountsDeps): ReadHandlers {
  return {
    async listSubAccounts({ caller, query }) {
      const rows = await findPage(pool, caller.tenantId, query)
      return toPage(rows, query.limit, toSubAccount)
    },

    async getSubAccount({ caller, params }) {
      const where = { id: params['id'] ?? '', parentId: caller.tenantId }
      const row = await database.tenant.findFirst({ where })
      if (row === null) throw notFound('sub-account')
      return toSubAccount(row)
    },
  }
}

async function findPage(
  pool: Pool,
  parentId: string,
  { limit, cursor, externalId, status, q }: SubAccountListQuery,
): Promise<SubAccountRow[]> {
  const values: unknown[] = [parentId, limit + 1]
  const conditions = ['parent_id = $1']
  const add = (value: unknown, toCondition: (parameter: string) => string): void => {
    values.push(value)
    conditions.push(toCondition(`$${values.length}`))
  }
  const after = decodeCursor(cursor)
  if (after !== null) add(after, (parameter) => `id < ${parameter}`)
  if (externalId !== undefined) add(externalId, (parameter) => `external_id = ${parameter}`)
  if (status !== undefined) add(status, (parameter) => `status = ${parameter}`)
  if (q !== undefined) {
    add(
      beginningWith(q),
      (parameter) => `(lower(name) LIKE ${parameter} OR lower(external_id) LIKE ${parameter})`,
    )
  }
  const { rows } = await pool.query<SubAccountRow>({
    text: `SELECT id, external_id AS "externalId", name, email, metadata, status,
        created_at AS "createdAt", updated_at AS "updatedAt"
      FROM tenants WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $2`,
    values,
  })
  return rows
}

/** A pattern for LIKE, in which the text's own wildcards mean themselves. */
function beginningWith(text: string): string {
  return `${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
