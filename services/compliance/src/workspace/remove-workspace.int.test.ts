/** The deletion of a workspace with very many sub-accounts and members, batch by batch. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import type { Pool } from '@posthorn/store/pool'
import { startTestCompliance, type TestCompliance } from '../compliance.fixture.ts'
import { removalStep, type RemovalPosition } from './remove-workspace.ts'

const SUB_ACCOUNTS = 450
const MEMBERS = 500

let compliance: TestCompliance
beforeAll(async () => {
  compliance = await startTestCompliance()
})
afterAll(async () => {
  await compliance.close()
})

const ids = (count: number): string[] => Array.from({ length: count }, () => newId())

async function makeLarge(): Promise<{ tenantId: string; members: string[] }> {
  const { pool } = compliance
  const { tenantId } = await compliance.addWorkspace()
  const [children, members] = [ids(SUB_ACCOUNTS), ids(MEMBERS)]
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret, parent_id)
     SELECT id, 'Sub-account', 'self_hosted', '', $1 FROM unnest($2::uuid[]) AS id`,
    [tenantId, children],
  )
  await pool.query(
    `INSERT INTO mails (id, tenant_id, recipient, kind, data)
     SELECT gen_random_uuid(), id, 'a@b.example', 'invite', '{}' FROM unnest($1::uuid[]) AS id`,
    [children],
  )
  await pool.query(
    `INSERT INTO users (id, email) SELECT id, id || '@b.example' FROM unnest($1::uuid[]) AS id`,
    [members],
  )
  await pool.query(
    `INSERT INTO memberships (tenant_id, user_id, role)
     SELECT $1, id, 'viewer' FROM unnest($2::uuid[]) AS id`,
    [tenantId, members],
  )
  return { tenantId, members }
}

/** The most rows that one statement has deleted from each table. */
function watched(pool: Pool): { pool: Pool; most: Map<string, number> } {
  const most = new Map<string, number>()
  type Query = (text: string, values?: unknown[]) => Promise<{ rowCount: number | null }>
  const watch =
    (query: Query): Query =>
    async (text, values) => {
      const result = await query(text, values)
      const name = /^DELETE FROM (\w+)/.exec(text)?.[1]
      if (name !== undefined) most.set(name, Math.max(most.get(name) ?? 0, result.rowCount ?? 0))
      return result
    }
  const one = {
    query: watch(pool.query.bind(pool) as unknown as Query),
    async connect() {
      const client = await pool.connect()
      const query = watch(client.query.bind(client) as unknown as Query)
      return { query, release: (broken?: boolean) => client.release(broken) }
    },
  }
  return { pool: one as unknown as Pool, most }
}

test('no statement removes many tenants or members at once, and none is left', async () => {
  const { tenantId, members } = await makeLarge()
  const { pool, most } = watched(compliance.pool)
  for (let position: RemovalPosition | null = null, steps = 0; ; steps += 1) {
    expect(steps).toBeLessThan(100)
    position = (await removalStep(pool, tenantId, position, 0)).position
    if (position === null) break
  }
  expect(most.get('tenants')).toBe(100)
  expect(most.get('memberships')).toBe(200)
  const { rows } = await compliance.pool.query(
    `SELECT (SELECT count(*)::int FROM tenants WHERE id = $1 OR parent_id = $1) AS tenants,
       (SELECT count(*)::int FROM users WHERE id = ANY ($2::uuid[])) AS users`,
    [tenantId, members],
  )
  expect(rows).toEqual([{ tenants: 0, users: 0 }])
}, 60_000)

test('a round goes on at its table, whatever partitions were dropped before it meanwhile', async () => {
  const { tenantId } = await compliance.addWorkspace()
  const { pool } = compliance
  const deleted: string[] = []
  const recording = {
    query: async (text: string, values?: unknown[]) => {
      const name = /^DELETE FROM (\w+)/.exec(text)?.[1]
      if (name !== undefined) deleted.push(name)
      return await pool.query(text, values)
    },
  } as unknown as Pool
  const first = await removalStep(recording, tenantId, { round: 2, table: 'connectors' }, 0)
  expect(first).toEqual({ position: { round: 3, table: null }, done: expect.any(Number) })
  expect(deleted[0]).toBe('connectors')
  deleted.length = 0
  await removalStep(recording, tenantId, { round: 2, table: 'events_20200101' }, 0)
  // Its table is not there any more: all of the round's are looked at again.
  expect(deleted).toEqual(expect.arrayContaining(['connectors', 'projects', 'subject_jobs']))
  expect(deleted.length).toBeGreaterThan(100)
})

test('what refers to a tenant is found by an index, so that no removal reads what others have', async () => {
  const { rows } = await compliance.pool.query<{ table: string; columns: string }>(
    `SELECT f.conrelid::regclass::text AS table, f.conname AS columns FROM pg_constraint f
     WHERE f.confrelid = 'tenants'::regclass AND f.contype = 'f' AND NOT EXISTS (
       SELECT FROM pg_index i WHERE i.indrelid = f.conrelid AND i.indkey[0] = f.conkey[1])`,
  )
  expect(rows).toEqual([])
})
