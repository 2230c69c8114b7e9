/**
 * The schema as text, one line a column and an index: what `schema.snapshot.txt` holds and a test
 * compares, so that a migration shows in review what it really changes. Partitions are left out:
 * they differ from day to day.
 */
import type { Pool } from './pool.ts'

const TABLES = `c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
  AND c.relname <> '_prisma_migrations'`

const COLUMNS = `SELECT c.relname AS table, c.relkind AS kind,
    pg_get_partkeydef(c.oid) AS partitioned, array_to_string(c.reloptions, ', ') AS options,
    a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AS "notNull", pg_get_expr(d.adbin, d.adrelid) AS "default"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE ${TABLES} AND c.relkind IN ('r', 'p') ORDER BY c.relname COLLATE "C", a.attnum`

const INDEXES = `SELECT c.relname AS table, pg_get_indexdef(i.indexrelid) AS text
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE ${TABLES}
  ORDER BY pg_get_indexdef(i.indexrelid) COLLATE "C"`

/**
 * Keys are indexes, and NOT NULL stands with its column (Postgres 18 has a constraint for it,
 * earlier ones none).
 */
const CONSTRAINTS = `SELECT c.relname AS table,
  k.conname || ' ' || pg_get_constraintdef(k.oid) AS text
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE ${TABLES} AND k.contype IN ('c', 'f') ORDER BY k.conname COLLATE "C"`

const OTHERS = `SELECT 'sequence ' || sequencename || ' cache ' || cache_size AS text
  FROM pg_sequences WHERE schemaname = 'public'
  UNION SELECT 'function ' || proname || '(' || pg_get_function_arguments(oid) || ') '
    || pg_get_function_result(oid)
  FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`

interface ColumnRow {
  table: string
  kind: string
  partitioned: string | null
  options: string | null
  name: string
  type: string
  notNull: boolean
  default: string | null
}

export async function readSchema(pool: Pool): Promise<string> {
  const columns = (await pool.query<ColumnRow>(COLUMNS)).rows
  const more = [
    ...(await pool.query<{ table: string; text: string }>(INDEXES)).rows,
    ...(await pool.query<{ table: string; text: string }>(CONSTRAINTS)).rows,
  ]
  const sections: string[] = []
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    const rest = more.filter((one) => one.table === table).map((one) => `  ${one.text}`)
    sections.push([heading(own[0] as ColumnRow), ...own.map(columnLine), ...rest].join('\n'))
  }
  const others = (await pool.query<{ text: string }>(OTHERS)).rows.map(({ text }) => text)
  return `${[...sections, others.join('\n')].join('\n\n')}\n`
}

function heading({ table, partitioned, options }: ColumnRow): string {
  const by = partitioned === null ? '' : ` partitioned by ${partitioned}`
  return `table ${table}${by}${options === null ? '' : ` with (${options})`}`
}

function columnLine(column: ColumnRow): string {
  const preset = column.default === null ? '' : ` default ${column.default}`
  return `  ${column.name} ${column.type}${column.notNull ? ' not null' : ''}${preset}`
}
