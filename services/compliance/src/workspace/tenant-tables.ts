/**
 * The tables that hold rows of tenants, as Postgres itself knows them: every one with a column
 * `tenant_id`, so that a new table is in the list without being added to it.
 */
import type { Pool } from '@posthorn/store/pool'

export interface TenantTable {
  name: string
  /** Tables whose rows refer to rows of this one: theirs go first. */
  children: string[]
}

/**
 * Leaves of partitioned tables, which can be deleted from by the places of rows, and plain tables.
 * @returns children before parents
 */
export async function readTenantTables(pool: Pool): Promise<TenantTable[]> {
  const { rows } = await pool.query<TenantTable>(
    `SELECT c.relname AS name, coalesce(
       array_agg(DISTINCT child.relname::text) FILTER (
         WHERE child.oid IS NOT NULL AND child.oid <> c.oid), '{}') AS children
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
     LEFT JOIN pg_constraint f ON f.confrelid = c.oid AND f.contype = 'f'
     LEFT JOIN pg_class child ON child.oid = f.conrelid
     WHERE c.relkind = 'r' AND c.relnamespace = (
       SELECT relnamespace FROM pg_class WHERE oid = 'tenants'::regclass)
     GROUP BY c.oid, c.relname ORDER BY c.relname`,
  )
  return childrenFirst(rows)
}

/** References among them have no cycles: each round takes those whose children are all taken. */
function childrenFirst(tables: readonly TenantTable[]): TenantTable[] {
  const sorted: TenantTable[] = []
  let left = [...tables]
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name))
    const free = left.filter(({ children }) => !children.some((child) => names.has(child)))
    if (free.length === 0) throw new Error('tables refer to each other in a circle')
    sorted.push(...free)
    left = left.filter((table) => !free.includes(table))
  }
  return sorted
}
