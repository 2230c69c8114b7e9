/**
 * Keeps the simulation's model of the store honest: the same random operations on the model and on
 * a real Postgres must give the same answers and rows. `MODEL_SEED=<seed>` runs one sequence alone.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { createSeededRandom } from './seeded-random.ts'
import { type ComparedStore, plain, type TestTenant } from './comparison.fixture.ts'
import { compareStores } from './differential.fixture.ts'
import { type Guard, GUARDS } from './model/guards.ts'
import { createModelStore } from './model-store.ts'
import { KINDS, newDelivery, RETENTION_STORIES } from './retention-guards.fixture.ts'

const GIVEN = process.env['MODEL_SEED']
const SEQUENCES = 25
/**
 * Enough sequences for the rarest case: a replay of an event that has another delivery in a lane.
 */
const MAX_UNTIL_DISTINGUISHED = 2_000
/** These guards matter only between two processes at once, which the simulation covers. */
const OF_TWO_PROCESSES: readonly Guard[] = [
  'fan-out: the tenant is locked',
  'lane: its row is locked',
  'sweep: its token before it drops a row',
  'relaying: a row goes with its event',
]

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 4, name: 'model', onError: () => {} })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const ROWS: Record<string, string> = {
  events: `SELECT concat_ws(' ', id, (fanned_out_at IS NOT NULL)::text, open_count,
    delivering_count, waiting_count, dead_count, attempts, (ended_at IS NOT NULL)::text,
    (delivered_at IS NOT NULL)::text, coalesce(dead_reason, '')) FROM events WHERE tenant_id = $1`,
  deliveries: `SELECT concat_ws(' ', id, event_id, target_id, priority, state, state_before, tries,
    tries_before, (ended_at IS NOT NULL)::text, coalesce(dead_reason, ''), coalesce(lane, ''),
    edition) FROM deliveries WHERE tenant_id = $1`,
  operational: `SELECT concat_ws(' ', event_type, fact)
    FROM operational_events WHERE tenant_id = $1`,
  outbox: `SELECT concat_ws(' ', encode(substr(e, 1, 16), 'hex')::uuid,
    encode(substr(e, 17, 16), 'hex')::uuid, code & 4095)
    FROM rollup_outbox o
    CROSS JOIN generate_series(0, length(body) / 40 - 1) n
    CROSS JOIN LATERAL (SELECT substr(body, n * 40 + 1, 40) AS e) s
    CROSS JOIN LATERAL (
      SELECT ('x' || encode(substr(e, 33, 8), 'hex'))::bit(64)::bigint AS code
    ) c
    CROSS JOIN generate_series(0, code >> 44) WHERE tenant_id = $1`,
  attempts: `SELECT concat_ws(' ', id, delivery_id, attempt_number, starts_with(error,
    'superseded: ')::text)
    FROM attempts WHERE tenant_id = $1`,
  due: `SELECT concat_ws(' ', id, kind, leased::text, (due_at <= now())::text,
    coalesce(target_id::text, ''))
    FROM due WHERE tenant_id = $1`,
  parked: `SELECT concat_ws(' ', delivery_id, target_id, priority)
    FROM parked WHERE tenant_id = $1`,
  backlogs: `SELECT concat_ws(' ', target_id, parks) FROM backlogs WHERE tenant_id = $1`,
  lanes: `SELECT concat_ws(' ', endpoint_id, lane, head, tail) FROM lanes WHERE tenant_id = $1`,
  waiting: `SELECT concat_ws(' ', endpoint_id, lane, position, delivery_id)
    FROM lane_waiting WHERE tenant_id = $1`,
  keys: `SELECT concat_ws(' ', key, event_id) FROM idempotency_keys WHERE tenant_id = $1`,
  leases: `SELECT concat_ws(' ', name, holder) FROM leases WHERE name = $1::uuid::text`,
}

function postgresStore({ tenantId }: TestTenant): ComparedStore {
  return { pool, pass, rows }

  async function pass(ms: number): Promise<void> {
    const before = `- $1 * interval '1 millisecond'`
    await pool.query(`UPDATE due SET due_at = due_at ${before}`, [ms])
    await pool.query(`UPDATE leases SET held_until = held_until ${before}`, [ms])
  }

  async function rows(): Promise<Record<string, unknown[]>> {
    const all: Record<string, unknown[]> = {}
    for (const [table, text] of Object.entries(ROWS)) {
      const found = await pool.query<{ concat_ws: string }>(text, [tenantId])
      all[table] = found.rows.map((row) => row.concat_ws)
    }
    return all
  }
}

/** Sweeps and repairs cover all tenants, so the next comparison must find nothing of this one. */
async function clear(): Promise<void> {
  for (const table of ['due', 'parked', 'backlogs', 'lanes', 'lane_waiting', 'leases'])
    await pool.query(`DELETE FROM ${table}`)
}

async function newTenant(): Promise<TestTenant> {
  const tenant = { tenantId: newId(), projectId: newId(), subscriberId: newId() }
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'T', 'free', '')`,
    [tenant.tenantId],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'P', 'production', true)`,
    [tenant.tenantId, tenant.projectId],
  )
  await pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, '{"eventTypes": ["service.*"]}')`,
    [tenant.tenantId, tenant.subscriberId, tenant.projectId],
  )
  return tenant
}

test('the model gives the same answers and rows as Postgres', async () => {
  const first = GIVEN === undefined ? 1 : Number(GIVEN)
  const failed: string[] = []
  for (let seed = first; seed < first + (GIVEN === undefined ? SEQUENCES : 1); seed += 1) {
    const tenant = await newTenant()
    const stores = [postgresStore(tenant), createModelStore(tenant)] as const
    const different = await compareStores(stores, tenant, createSeededRandom(seed))
    if (different.length > 0) failed.push(`seed ${seed}: ${different[0]}`)
    await clear()
  }
  expect(failed).toEqual([])
}, 120_000)

const BESIDE_RETENTION = RETENTION_STORIES.map(({ guard }) => guard)

test.each(
  (Object.keys(GUARDS) as Guard[]).filter(
    (guard) => !OF_TWO_PROCESSES.includes(guard) && !BESIDE_RETENTION.includes(guard),
  ),
)('these operations distinguish the model from one without "%s"', async (guard) => {
  const tenant = { tenantId: newId(), projectId: newId(), subscriberId: newId() }
  for (let seed = 1; seed <= MAX_UNTIL_DISTINGUISHED; seed += 1) {
    const stores = [createModelStore(tenant), createModelStore(tenant, [guard])] as const
    const different = await compareStores(stores, tenant, createSeededRandom(seed))
    if (different.length > 0) return
  }
  expect(`nothing differs without "${guard}"`).toBe('something differs')
})

describe.each(RETENTION_STORIES)('beside retention, "$guard"', ({ guard, run }) => {
  test.each(KINDS)(
    '%s: the model does what Postgres does, and does not without the guard',
    async (kind) => {
      const tenant = await newTenant()
      const delivery = newDelivery(tenant, kind)
      const tell = async (store: ComparedStore) => JSON.stringify(plain(await run(store, delivery)))
      const real = await tell(postgresStore(tenant))
      await clear()
      expect(await tell(createModelStore(tenant))).toBe(real)
      expect(await tell(createModelStore(tenant, [guard]))).not.toBe(real)
    },
  )
})
