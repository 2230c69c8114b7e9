import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { purgeEndpoints } from './purge-endpoints.ts'
import { makeTenant, openTestStore, type TestStore, type Tenant } from './store.fixture.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore()
})
afterAll(async () => await stage.close())
beforeEach(async () => {
  for (const table of ['endpoints', 'endpoint_versions', 'deliveries', 'attempts', 'backlogs'])
    await stage.pool.query(`DELETE FROM ${table}`)
  tenant = await makeTenant(stage.pool)
})

async function makeEndpoint(deletedDaysAgo: number | null): Promise<string> {
  const id = newId()
  const at = deletedDaysAgo === null ? null : new Date(Date.now() - deletedDaysAgo * 86_400_000)
  await stage.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config, deleted_at)
     VALUES ($1, $2, $3, 'active', 1, '{}', $4)`,
    [tenant.tenantId, id, tenant.projectId, at],
  )
  await stage.pool.query(
    `INSERT INTO endpoint_versions (tenant_id, endpoint_id, version, config, changes, changed_by)
     VALUES ($1, $2, 1, '{}', '{}', 'x')`,
    [tenant.tenantId, id],
  )
  return id
}

async function ids(table: 'endpoints' | 'endpoint_versions', column = 'id'): Promise<string[]> {
  const { rows } = await stage.pool.query<{ id: string }>(
    `SELECT ${column} AS id FROM ${table} ORDER BY 1`,
  )
  return rows.map(({ id }) => id)
}

test('a deleted endpoint goes when nothing tells of it any more, with its versions', async () => {
  const [living, fresh] = [await makeEndpoint(null), await makeEndpoint(0.5)]
  const [delivered, tried, parked] = [
    await makeEndpoint(100),
    await makeEndpoint(100),
    await makeEndpoint(100),
  ]
  await makeEndpoint(2)
  const { tenantId, projectId } = tenant
  await stage.pool.query(
    `INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority)
     VALUES ($1, $2, $2, $3, $3, 1, 5)`,
    [tenantId, newId(), delivered],
  )
  await stage.pool.query(
    `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, endpoint_id, url,
     attempt_number, status_code,
       error, duration_ms, overhead_us, response_body)
     VALUES ($1, $2, $3, $2, $2, $4, '', 1, 200, '', 1, 1, '')`,
    [tenantId, newId(), projectId, tried],
  )
  await stage.pool.query(
    'INSERT INTO backlogs (tenant_id, target_id, endpoint_id) VALUES ($1, $2, $2)',
    [tenantId, parked],
  )
  expect(await purgeEndpoints(stage.pool)).toBe(1)
  const left = [living, fresh, delivered, tried, parked].toSorted()
  expect(await ids('endpoints')).toEqual(left)
  expect(await ids('endpoint_versions', 'endpoint_id')).toEqual(left)

  await stage.pool.query('DELETE FROM deliveries')
  expect(await purgeEndpoints(stage.pool)).toBe(1)
  expect(await ids('endpoints')).not.toContain(delivered)
})

test('thousands are looked at in steps, also those deleted at one moment', async () => {
  await stage.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config, deleted_at)
     SELECT $1, gen_random_uuid(), $2, 'active', 1, '{}', now() - interval '3 days'
     FROM generate_series(1, 1200)`,
    [tenant.tenantId, tenant.projectId],
  )
  const [kept] = await ids('endpoints')
  await stage.pool.query(
    'INSERT INTO backlogs (tenant_id, target_id, endpoint_id) VALUES ($1, $2, $2)',
    [tenant.tenantId, kept],
  )
  expect(await purgeEndpoints(stage.pool, 1)).toBe(499)
  expect(await purgeEndpoints(stage.pool)).toBe(700)
  expect(await ids('endpoints')).toEqual([kept])
})
