/**
 * How Postgres carries out the pipeline's hot statements: by the key, in one partition each, and in
 * place (HOT). A plan is cached with the connection, so what is chosen while a table is small must
 * still be right when it is large.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { idAt, newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { ensurePartitions } from './partitions.ts'
import { recordAttempts } from './pipeline/record-attempts.ts'
import { accept, type StatementContext, HOT_STATEMENTS } from './hot-statements.fixture.ts'
import type { Pool } from './pool.ts'
import { attemptOf, makeTenant, openTestStore, type TestStore } from './store.fixture.ts'

let stage: TestStore
const on = {} as StatementContext
const plans: string[] = []
/** Making a partition reads it once. */
let scansToMake: number[] = []

beforeAll(async () => {
  stage = await openTestStore()
  on.tenant = await makeTenant(stage.pool)
  await connect()
  await fillDays()
  scansToMake = (await read()).map(({ scans }) => scans)
})
afterAll(async () => {
  on.client.release(true)
  await stage.close()
})

/** Anew: what was planned before is forgotten. */
async function connect(): Promise<void> {
  on.client = await stage.pool.connect()
  const query = on.client.query.bind(on.client)
  on.pool = { query, connect: async () => ({ query, release() {} }) } as unknown as Pool
  on.client.on('notice', (notice) => plans.push(notice.message ?? ''))
  await on.client.query("LOAD 'auto_explain'")
  for (const setting of [
    'log_analyze = on',
    'log_timing = off',
    'log_level = notice',
    'log_format = text',
  ]) {
    await on.client.query(`SET auto_explain.${setting}`)
  }
}

/** Days behind, each with rows of another tenant: a table that has been in use for three weeks. */
async function fillDays(): Promise<void> {
  const now = Date.now()
  for (const days of [5, 19]) await ensurePartitions(on.client, new Date(now - days * DAY_MS))
  for (let days = 2; days <= 20; days += 1) {
    const ids = [newId(), newId()].map(
      (id) => idAt(now - days * DAY_MS).slice(0, 13) + id.slice(13),
    )
    await on.client.query(
      `INSERT INTO events (tenant_id, id, project_id, idempotency_key, payload, priority, trace_id,
       fanned_out_at, ended_at)
       SELECT $1, id, $2, id, '{}', 5, '', now(), now() FROM unnest($3::uuid[]) id`,
      [newId(), on.tenant.projectId, ids],
    )
    await on.client.query(
      `INSERT INTO deliveries (tenant_id, id, event_id, target_id, seq, priority, state)
       SELECT $1, id, id, id, 1, 5, 3 FROM unnest($2::uuid[]) id`,
      [newId(), ids],
    )
  }
}

const MANY = 10_000
const DAY_MS = 86_400_000

/**
 * Those that still look for a row of an id which they find only on the way, and so name all
 * partitions, to run in one: they go with what a consumer or the end of a lane's head asks for, not
 * with each event.
 */
const FIND_ON_THE_WAY = [
  'take',
  'recordHeads',
  'cancelLane',
  'fetchVisible',
  'acknowledge',
  'endVisibility',
]

/**
 * Lines of scans of real tables that were run; those of partitions that were pruned say `never
 * executed`.
 */
function scansOf(plan: string): string[] {
  const scan =
    /^\s*->\s+.*\bScan\b.*\bon (events|deliveries|attempts|due|parked|backlogs|lanes|lane_waiting|idempotency_keys)/
  return plan.split('\n').filter((line) => scan.test(line) && !line.includes('never executed'))
}

async function planOf(name: string): Promise<string> {
  const prepare = HOT_STATEMENTS[name] as (typeof HOT_STATEMENTS)[string]
  // Six times, and the plan is no longer made for each call.
  for (let time = 0; time < 6; time += 1) await (await prepare(on))()
  const run = await prepare(on)
  plans.length = 0
  await on.client.query('SET auto_explain.log_min_duration = 0')
  await run()
  await on.client.query('SET auto_explain.log_min_duration = -1')
  return plans.filter((plan) => !plan.includes('auto_explain')).join('\n')
}

test.each(Object.keys(HOT_STATEMENTS))(
  '%s: by the key, and each row in its own day alone',
  async (name) => {
    // The tables hold a handful of rows: the planner is tempted.
    const shown = await planOf(name)
    expect(shown).toContain('actual rows')
    expect(shown).not.toMatch(/Seq Scan/)
    // Pruned at the start of a cached plan, an UPDATE may lose what it meets: see
    // sql/partition-bounds.ts.
    expect(shown).not.toMatch(/Subplans Removed/)
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    for (const line of scansOf(shown)) {
      const partition = /\bon ((?:events|deliveries|attempts)_(\d{8}))/.exec(line)
      // A day may end while this runs: the rows' own day is the only one that is read.
      if (partition !== null)
        expect([line, Math.abs(Number(partition[2]) - Number(today)) <= 1]).toEqual([line, true])
      expect(line).toMatch(/(Index|Index Only|Tid) Scan/)
    }
    // Neither read nor even considered: a partition that is passed over at run time costs 10 us and
    // four locks all the same.
    const days = [...shown.matchAll(/\bon (?:events|deliveries|attempts)_(\d{8})/g)].map(
      ([, day]) => day,
    )
    if (!FIND_ON_THE_WAY.includes(name)) expect(new Set(days).size).toBeLessThanOrEqual(2)
    const whole = shown
      .split('\n')
      .filter(
        (line, at, lines) =>
          /Index (Only )?Scan using \w+pkey/.test(line) && !/Index Cond/.test(lines[at + 1] ?? ''),
      )
    expect(whole.filter((line) => scansOf(line).length > 0)).toEqual([])
  },
)

test('a burst: no sequential scan, and the updates of events and deliveries are HOT', async () => {
  const before = await read()
  for (let round = 0; round < 12; round += 1) {
    const made = await accept(on, 100)
    await recordAttempts(
      on.pool,
      made.map((work) => attemptOf(work, { state: 'delivered' })),
    )
  }
  const since = (at: number, now: Usage[]): number =>
    (now[at]?.updates ?? 0) - (before[at]?.updates ?? 0)
  await eventually(async () => {
    const now = await read()
    return since(0, now) >= 1_200 && since(1, now) >= 1_200
  })
  for (const [at, { table, hot, scans }] of (await read()).entries()) {
    const share = (hot - (before[at]?.hot ?? 0)) / 1_200
    expect([table, share > 0.9]).toEqual([table, true])
    expect([table, scans - (scansToMake[at] ?? 0)]).toEqual([table, 0])
  }
})

const TENANTS = 'with statistics of 10,000 tenants alone'
const ALL = 'with statistics of before'

describe.each(['without statistics', TENANTS, ALL])('a busy day, %s', (statistics) => {
  beforeAll(async () => {
    // Its customers' customers have all come before the first event.
    if (statistics === TENANTS) {
      await on.client.query(
        `INSERT INTO tenants (id, name, plan, signing_secret)
           SELECT gen_random_uuid(), 'T', 'self_hosted', '' FROM generate_series(1, ${MANY})`,
      )
      await on.client.query('ANALYZE tenants')
    }
    const prefix = idAt(Date.now() - 600_000).slice(0, 13)
    const ids = `SELECT ($2 || substr(gen_random_uuid()::text, 14))::uuid AS id
        FROM generate_series(1, ${MANY})`
    await on.client.query(
      `INSERT INTO events (tenant_id, id, project_id, idempotency_key, payload, priority,
         trace_id, fanned_out_at)
       SELECT $1, id, $3, id, '{}', 5, '', now() FROM (${ids})`,
      [on.tenant.tenantId, prefix, on.tenant.projectId],
    )
    await on.client.query(
      `INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority)
       SELECT $1, id, gen_random_uuid(), gen_random_uuid(), id, 1, 5 FROM (${ids})`,
      [on.tenant.tenantId, prefix],
    )
    await on.client.query(
      `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
       SELECT tenant_id, id, 1, now() + interval '1 hour', true, target_id FROM deliveries
         WHERE tenant_id = $1
       ON CONFLICT DO NOTHING`,
      [on.tenant.tenantId],
    )
    if (statistics === ALL) await on.client.query('ANALYZE')
    on.client.release(true)
    await connect()
  })

  test.each(Object.keys(HOT_STATEMENTS))('%s: nothing but its own rows is read', async (name) => {
    const shown = await planOf(name)
    expect(shown).toContain('actual rows')
    const counts = [...shown.matchAll(/(?:actual rows=|Rows Removed by \w+(?: \w+)?: )(\d+)/g)]
    expect(Math.max(...counts.map(([, count]) => Number(count)))).toBeLessThan(MANY / 10)
  })
})

interface Usage {
  table: string
  updates: number
  hot: number
  scans: number
}

async function read(): Promise<Usage[]> {
  await on.client.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await on.client.query<Usage>(
    `SELECT split_part(relname, '_', 1) AS table, sum(n_tup_upd)::int AS updates,
     sum(n_tup_hot_upd)::int AS hot,
       sum(seq_scan)::int AS scans
     FROM pg_stat_user_tables WHERE relname ~ '^(deliveries|events)_\\d' GROUP BY 1 ORDER BY 1`,
  )
  return rows
}
