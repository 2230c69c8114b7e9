import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { createChangedTenants } from './changed-tenants.ts'
import type { Pool } from './pool.ts'
import { makeTenant, openTestStore, type TestStore } from './store.fixture.ts'

let stage: TestStore
beforeAll(async () => {
  stage = await openTestStore()
})
afterAll(async () => {
  await stage.close()
})

const WAIT = { timeoutMs: 30_000 }
const BUMP = 'UPDATE tenants SET config_version = config_version + 1 WHERE id = $1'

async function newTenant(): Promise<string> {
  return (await makeTenant(stage.pool)).tenantId
}

/** One that has asked once, so that it knows from when on. */
async function asked(pool: Pool = stage.pool): Promise<ReturnType<typeof createChangedTenants>> {
  const changedTenants = createChangedTenants(pool)
  expect(await changedTenants()).toBe('unknown')
  return changedTenants
}

/**
 * The oldest transaction is the server's, not the database's: while one of another test goes on,
 * the same tenants are told again.
 */
async function expectNoneLeft(changedTenants: ReturnType<typeof createChangedTenants>) {
  await eventually(async () => expect(await changedTenants()).toEqual(new Map()), WAIT)
}

test('those are told whose configuration or status has changed since, with their version', async () => {
  const [configured, deactivated, renamed] = [
    await newTenant(),
    await newTenant(),
    await newTenant(),
  ]
  const changedTenants = await asked()
  await expectNoneLeft(changedTenants)
  await stage.pool.query(BUMP, [configured])
  await stage.pool.query("UPDATE tenants SET status = 'deactivated' WHERE id = $1", [deactivated])
  await stage.pool.query("UPDATE tenants SET name = 'another' WHERE id = $1", [renamed])
  expect(await changedTenants()).toEqual(
    new Map([
      [configured, 2],
      [deactivated, 1],
    ]),
  )
  await expectNoneLeft(changedTenants)
})

test('a change whose transaction takes longer than any asking is told once it is there', async () => {
  const tenantId = await newTenant()
  const changedTenants = await asked()
  const others: string[] = []
  const client = await stage.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(BUMP, [tenantId])
    for (let time = 0; time < 3; time += 1) {
      const other = await newTenant()
      await stage.pool.query(BUMP, [other])
      others.push(other)
      expect([...((await changedTenants()) as Map<string, number>).keys()]).toContain(other)
    }
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  const told = [...((await changedTenants()) as Map<string, number>).keys()]
  expect(told).toEqual(expect.arrayContaining([tenantId, ...others]))
  await expectNoneLeft(changedTenants)
})

test('numbers from before a restore are not told', async () => {
  const tenantId = await newTenant()
  await stage.pool.query('UPDATE tenants SET changed_in = $2 WHERE id = $1', [tenantId, 2 ** 52])
  const changedTenants = await asked()
  await expectNoneLeft(changedTenants)
})

test('after an asking that failed, and on a server that has counted less, any may have changed', async () => {
  let answer: 'real' | 'fails' | 'less' = 'real'
  const pool = {
    query: async (query: Parameters<Pool['query']>[0]) => {
      if (answer === 'fails') throw new Error('the store is down')
      if (answer === 'less') return { rows: [{ oldest: '3', id: null, version: null }] }
      return await stage.pool.query(query)
    },
  } as unknown as Pool
  const changedTenants = await asked(pool)
  answer = 'fails'
  await expect(changedTenants()).rejects.toThrow('the store is down')
  answer = 'real'
  expect(await changedTenants()).toBe('unknown')
  await expectNoneLeft(changedTenants)
  answer = 'less'
  expect(await changedTenants()).toBe('unknown')
})
