import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { endpointUpdated } from '@posthorn/domain/notices'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { ensurePartitions } from '../partitions.ts'
import { openPool, type Pool } from '../pool.ts'
import { acceptNotices } from './accept-notices.ts'

let database: TestDatabase
let pool: Pool
const [tenantId, projectId, listener] = [newId(), newId(), newId()]
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 4, name: 'test', onError: () => {} })
  await ensurePartitions(pool, new Date())
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'T', 'self_hosted', '')`,
    [tenantId],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default) VALUES ($1, $2, 'P', 'production', true)`,
    [tenantId, projectId],
  )
  await pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config) VALUES ($1, $2, $3, 'active', 1, $4)`,
    [
      tenantId,
      listener,
      projectId,
      JSON.stringify({ eventTypes: ['order.*', 'service.endpoint.*'] }),
    ],
  )
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('a fact is told once, however often and by however many, and only where somebody listens', async () => {
  const about = (project: string, version: number) =>
    endpointUpdated(
      { tenantId, projectId: project, endpointId: newId() },
      { version, changes: ['url'], atMs: 1_000 },
    )
  const [first, elsewhere] = [about(projectId, 2), about(newId(), 2)]
  const told = await Promise.all(
    [1, 2, 3].map(() => acceptNotices(pool, [first, elsewhere, first])),
  )
  expect(told.flat()).toEqual([{ v: 1, tenantId, eventId: expect.any(String) }])
  const next = { ...first, fact: `${first.fact}1` }
  expect(await acceptNotices(pool, [first, next])).toHaveLength(1)
  const { rows } = await pool.query(
    'SELECT event_type, project_id, payload, idempotency_key FROM events ORDER BY seq LIMIT 1',
  )
  expect(rows).toEqual([
    {
      event_type: 'service.endpoint.updated',
      project_id: projectId,
      payload: JSON.stringify(first.data),
      idempotency_key: `service.endpoint.updated:${first.fact}`,
    },
  ])
  await pool.query('UPDATE endpoints SET deleted_at = now()')
  expect(await acceptNotices(pool, [about(projectId, 3)])).toEqual([])
  expect(await acceptNotices(pool, [])).toEqual([])
})
