/** Sub-accounts by their parent and by either of their ids, as a request names them. */
import type { Environment } from '@posthorn/domain/api-key'
import { isUuid } from '@posthorn/domain/ids'
import { projectsOf } from './caller-tenant.ts'
import type { Pool } from './pool.ts'

export interface StoredSubAccount {
  tenantId: string
  parentId: string
  isDeactivated: boolean
  /** All projects of the sub-account, the default one first. */
  projects: { id: string; environment: Environment }[]
}

/** The id of a sub-account's parent, a slash, and the sub-account's id or its external id. */
export type SubAccountReference = string

/** @returns the sub-accounts by their references; unknown ones are left out */
export async function findSubAccounts(
  pool: Pool,
  references: readonly SubAccountReference[],
): Promise<Map<SubAccountReference, StoredSubAccount>> {
  const asked = references.map((reference) => {
    const slash = reference.indexOf('/')
    const name = reference.slice(slash + 1)
    return { parent: reference.slice(0, slash), name, id: isUuid(name) ? name : null }
  })
  // An external id that looks like one of our ids names its own sub-account all the same, unless
  // the id is one of the same parent's.
  const { rows } = await pool.query<StoredSubAccount & { reference: string }>({
    name: 'find-sub-accounts',
    text: `SELECT DISTINCT ON (asked.reference) asked.reference, t.id AS "tenantId",
        t.parent_id AS "parentId", t.status = 'deactivated' AS "isDeactivated",
        ${projectsOf('t.id')} AS projects
      FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[])
        AS asked (reference, parent, id, name), LATERAL (
          SELECT id, parent_id, status, true AS is_by_id FROM tenants
          WHERE id = asked.id AND parent_id = asked.parent
          UNION ALL
          SELECT id, parent_id, status, false FROM tenants
          WHERE parent_id = asked.parent AND external_id = asked.name
        ) t
      ORDER BY asked.reference, t.is_by_id DESC`,
    values: [
      references,
      asked.map(({ parent }) => parent),
      asked.map(({ id }) => id),
      asked.map(({ name }) => name),
    ],
  })
  return new Map(rows.map(({ reference, ...found }) => [reference, found]))
}
