import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readFile, writeFile } from 'node:fs/promises'
import { readSchema } from './schema-snapshot.fixture.ts'
import { openTestStore, type TestStore } from './store.fixture.ts'

const SNAPSHOT = new URL('../schema.snapshot.txt', import.meta.url)
const PRISMA_SCHEMA = new URL('../prisma/schema.prisma', import.meta.url)

let stage: TestStore
beforeAll(async () => {
  stage = await openTestStore()
})
afterAll(async () => {
  await stage.close()
})

test('the migrated database is what schema.snapshot.txt says', async () => {
  const schema = await readSchema(stage.pool)
  if (process.env['WRITE_SCHEMA_SNAPSHOT'] === '1') await writeFile(SNAPSHOT, schema)
  const snapshot = await readFile(SNAPSHOT, 'utf8')
  if (schema === snapshot) return
  const fix = 'When the migration is meant so: pnpm --filter @posthorn/store snapshot'
  expect(`${fix}\n${schema}`).toBe(`${fix}\n${snapshot}`)
})

interface Field {
  column: string
  type: string
  nullable: boolean
}

/** Prisma's scalar types as Postgres names them, where no `@db.` says otherwise. */
const TYPES: Record<string, string> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Boolean: 'boolean',
  Json: 'jsonb',
  Bytes: 'bytea',
  'String[]': 'text[]',
}
const NATIVE: Record<string, string> = {
  '@db.SmallInt': 'smallint',
  '@db.Uuid': 'uuid',
  '@db.Timestamptz(6)': 'timestamp with time zone',
  '@db.Date': 'date',
}

/**
 * Tables that an event passes through, what alerting keeps, counts of usage, and the logs of
 * changes and of sign-ins: written by guarded statements alone (docs/decisions/0020).
 */
const PIPELINE_TABLES = [
  'alert_history',
  'alert_notifications',
  'alert_rules',
  'attempts',
  'audit_logs',
  'auth_audit_logs',
  'backlogs',
  'connectors',
  'deliveries',
  'due',
  'events',
  'idempotency_keys',
  'lane_waiting',
  'lanes',
  'leases',
  'notification_targets',
  'operational_events',
  'parked',
  'rollup_days',
  'rollup_hours',
  'rollup_minutes',
  'rollup_moments',
  'rollup_outbox',
  'standalone_lease',
  'subject_export_pieces',
  'subject_jobs',
  'usage_days',
  'usage_recounts',
]

interface Model {
  name: string
  table: string
  fields: Field[]
  /** Columns of the primary key and of each unique index. */
  keys: string[]
}

function parseModel(name: string, body: string): Model {
  const lines = body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
  const table = /^@@map\("(\w+)"\)$/m.exec(lines.join('\n'))?.[1] ?? name
  const columnOf = new Map<string, string>()
  const fields: Field[] = []
  const keys: string[] = []
  for (const line of lines.filter((one) => !one.startsWith('@@'))) {
    const [field = '', type = '', ...rest] = line.split(/\s+/)
    const attributes = rest.join(' ')
    const column = /@map\("(\w+)"\)/.exec(attributes)?.[1] ?? field
    columnOf.set(field, column)
    const native = rest.find((attribute) => attribute.startsWith('@db.'))
    const list = native !== undefined && type.endsWith('[]') ? '[]' : ''
    const kind = native === undefined ? TYPES[type.replace('?', '')] : `${NATIVE[native]}${list}`
    fields.push({
      column,
      type: kind ?? `unknown: ${type} ${native}`,
      nullable: type.endsWith('?'),
    })
    if (rest.includes('@id') || rest.includes('@unique')) keys.push(column)
  }
  for (const line of lines) {
    const key = /^@@(?:id|unique)\(\[(.+)\]\)/.exec(line)?.[1]
    if (key !== undefined)
      keys.push(
        key
          .split(/,\s*/)
          .map((field) => columnOf.get(field))
          .join(','),
      )
  }
  return { name, table, fields, keys }
}

async function readModels(): Promise<Model[]> {
  const text = await readFile(PRISMA_SCHEMA, 'utf8')
  return [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) =>
    parseModel(name, body),
  )
}

describe('Prisma’s schema', () => {
  test('has a model for each table of the configuration, and none for the pipeline’s', async () => {
    const { rows } = await stage.pool.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
         AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname COLLATE "C"`,
    )
    const modelled = (await readModels()).map(({ table }) => table)
    expect([...modelled, ...PIPELINE_TABLES].sort()).toEqual(rows.map(({ name }) => name))
  })

  test('has each column of its tables, of the same type and as optional', async () => {
    const models = await readModels()
    expect(models.map(({ name }) => name)).toContain('Endpoint')
    for (const { name, table, fields } of models) {
      const { rows } = await stage.pool.query<{ column: string; type: string; nullable: boolean }>(
        `SELECT a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
         NOT a.attnotnull AS nullable
         FROM information_schema.columns i
         JOIN pg_attribute a ON a.attrelid = to_regclass(i.table_name) AND a.attname = i.column_name
         WHERE i.table_schema = 'public' AND i.table_name = $1 ORDER BY 1`,
        [table],
      )
      const sorted = [...fields].sort((a, b) => (a.column < b.column ? -1 : 1))
      expect([name, sorted]).toEqual([name, rows])
    }
  })

  test('has their keys', async () => {
    for (const { name, table, keys } of await readModels()) {
      const { rows } = await stage.pool.query<{ key: string }>(
        `SELECT string_agg(a.attname, ',' ORDER BY k.n) AS key FROM pg_index i
         CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, n)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
         WHERE i.indrelid = to_regclass($1) AND i.indisunique AND i.indpred IS NULL
         GROUP BY i.indexrelid`,
        [table],
      )
      expect([name, rows.map(({ key }) => key)]).toEqual([name, expect.arrayContaining(keys)])
      expect(keys.length).toBeGreaterThan(0)
    }
  })
})
