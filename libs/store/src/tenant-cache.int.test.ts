import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { bumpConfigVersion } from './config-version.ts'
import { openPrisma } from './prisma.ts'
import { createTenantCache } from './tenant-cache.ts'
import { makeTenant, openTestStore, type TestStore } from './store.fixture.ts'

let stage: TestStore
let tenantId: string
beforeAll(async () => {
  stage = await openTestStore()
})
afterAll(async () => {
  await stage.close()
})
beforeEach(async () => {
  tenantId = (await makeTenant(stage.pool)).tenantId
})

async function bump(id = tenantId): Promise<void> {
  await stage.pool.query('UPDATE tenants SET config_version = config_version + 1 WHERE id = $1', [
    id,
  ])
}

/** Loads `<version>` of a tenant; `loads` counts, `gate` holds a load back after it has read. */
function createCache() {
  const state = { loads: 0, now: 1_000_000, gate: Promise.resolve(), failing: false }
  const load = async (id: string): Promise<{ version: number; value: string; bytes: number }> => {
    state.loads += 1
    if (state.failing) throw new Error('the store is down')
    const { rows } = await stage.pool.query<{ version: number }>(
      'SELECT config_version::float8 AS version FROM tenants WHERE id = $1',
      [id],
    )
    const version = rows[0]?.version ?? 0
    await state.gate
    return { version, value: `v${version}`, bytes: 100 }
  }
  return { state, cache: createTenantCache(stage.pool, { load }, () => state.now) }
}

/** One that has asked once which tenants have changed, as each has a second after its start. */
async function createCheckedCache(): Promise<ReturnType<typeof createCache>> {
  const made = createCache()
  await made.cache.refresh()
  return made
}

test('loads once, however many ask at once, and keeps it while it is fresh', async () => {
  const { state, cache } = createCache()
  expect(cache.peek(tenantId)).toBeUndefined()
  expect(await Promise.all([1, 2, 3].map(() => cache.get(tenantId)))).toEqual(['v1', 'v1', 'v1'])
  state.now += 1_700
  expect(await cache.get(tenantId)).toBe('v1')
  expect(cache.peek(tenantId)).toBe('v1')
  expect(state.loads).toBe(1)
})

test('a change is seen within two seconds without a word: by the refresh, or by age alone', async () => {
  const { state, cache } = await createCheckedCache()
  await cache.get(tenantId)
  await bump()
  state.now += 1_000
  await cache.refresh()
  expect(cache.peek(tenantId)).toBeUndefined()
  expect(await cache.get(tenantId)).toBe('v2')
  await bump()
  state.now += 1_900 // no refresh came through
  expect(cache.peek(tenantId)).toBeUndefined()
  expect(await cache.get(tenantId)).toBe('v3')
})

test('refreshed, what did not change stays without being loaded again', async () => {
  const { state, cache } = await createCheckedCache()
  await cache.get(tenantId)
  for (let second = 0; second < 10; second += 1) {
    state.now += 1_000
    await cache.refresh()
    expect(cache.peek(tenantId)).toBe('v1')
  }
  expect(state.loads).toBe(1)
})

test('what was loaded before it first asked which tenants have changed is not kept', async () => {
  const { state, cache } = createCache()
  await cache.get(tenantId)
  await cache.refresh()
  expect(cache.peek(tenantId)).toBeUndefined()
  expect(await cache.get(tenantId)).toBe('v1')
  await cache.refresh()
  expect(cache.peek(tenantId)).toBe('v1')
  expect(state.loads).toBe(2)
})

test('a load that began before the change is not kept when the refresh hears of it', async () => {
  const { state, cache } = await createCheckedCache()
  const gate = Promise.withResolvers<void>()
  state.gate = gate.promise
  const early = cache.get(tenantId)
  await stage.pool.query('SELECT 1') // the early load has read by now
  await bump()
  await cache.refresh()
  gate.resolve()
  await early
  expect(cache.peek(tenantId)).toBeUndefined()
  expect(await cache.get(tenantId)).toBe('v2')
})

test('a named version is never answered with an older one', async () => {
  const { state, cache } = createCache()
  await cache.get(tenantId)
  expect(await cache.get(tenantId, 1)).toBe('v1')
  await bump()
  expect(await cache.get(tenantId, 2)).toBe('v2')
  expect(state.loads).toBe(2)
  state.now += 60_000
  expect(await cache.get(tenantId, 2)).toBe('v2') // it is this very version, however old
  expect(state.loads).toBe(2)
})

test('a load that began before the change does not serve who knows of the change', async () => {
  const { state, cache } = createCache()
  let open = (): void => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  const early = cache.get(tenantId)
  await stage.pool.query('SELECT 1') // the early load has read by now, or reads the same
  await new Promise((done) => setImmediate(done))
  await bump()
  const late = cache.get(tenantId, 2)
  open()
  expect(['v1', 'v2']).toContain(await early)
  expect(await late).toBe('v2')
})

test('invalidated while it loads, the result is not kept', async () => {
  const { state, cache } = createCache()
  let open = (): void => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  const asked = cache.get(tenantId)
  cache.invalidate(tenantId)
  open()
  expect(await asked).toBe('v1')
  expect(cache.peek(tenantId)).toBeUndefined()
  expect(await cache.get(tenantId)).toBe('v1')
  expect(state.loads).toBe(2)
})

test('a load that fails fails who asked, and the next one tries again', async () => {
  const { state, cache } = createCache()
  state.failing = true
  await expect(cache.get(tenantId)).rejects.toThrow('the store is down')
  state.failing = false
  expect(await cache.get(tenantId)).toBe('v1')
})

test('while nothing is kept it asks every ten seconds, and a change meanwhile is seen', async () => {
  const asked: string[] = []
  const query = (what: { name: string }): unknown => {
    asked.push(what.name)
    return stage.pool.query(what as never)
  }
  const load = async () => ({ version: 0, value: '', bytes: 1 })
  let second = 0
  const cache = createTenantCache({ query } as never, { load }, () => second * 1_000)
  for (; second < 20; second += 1) await cache.refresh()
  expect(asked).toEqual(['changed-tenants', 'changed-tenants'])
  // Read before the change, and kept after it.
  await cache.get(tenantId)
  await bump()
  await cache.refresh()
  expect(asked).toHaveLength(3)
  expect(cache.peek(tenantId)).toBeUndefined()
})

test('what nobody asks for is forgotten', async () => {
  const { state, cache } = createCache()
  await cache.get(tenantId)
  state.now += 61_000
  await cache.refresh()
  expect(await cache.get(tenantId, 1)).toBe('v1')
  expect(state.loads).toBe(2)
})

test('beyond 20,000 tenants some of those go that were used longest ago', async () => {
  const state = { now: 1_000_000 }
  const cache = createTenantCache(
    stage.pool,
    { load: async (id) => ({ version: 1, value: id, bytes: 10 }) },
    () => state.now,
  )
  const all = Array.from({ length: 20_001 }, (_, n) => `t${n}`)
  const use = async (id: string): Promise<void> => {
    state.now += 0.01
    await cache.get(id, 1)
  }
  for (const id of all.slice(0, -1)) await use(id)
  await use('t0') // the first one loaded is nearly the last one used
  await use('t20000')
  const isKept = (id: string): boolean => cache.peek(id) !== undefined
  expect(['t0', 't20000'].every(isKept)).toBe(true)
  const kept = all.filter(isKept)
  expect(kept).toHaveLength(18_000)
  expect(all.slice(10_002).filter((id) => !isKept(id))).toEqual([])
})

test('of more tenants than fit, who come in turn, most are found', async () => {
  const state = { now: 1_000_000, loads: 0 }
  const load = async (id: string) => {
    state.loads += 1
    return { version: 1, value: id, bytes: 10 }
  }
  const cache = createTenantCache(stage.pool, { load }, () => state.now)
  for (let round = 0; round < 4; round += 1) {
    state.loads = 0
    for (let n = 0; n < 21_000; n += 1) {
      state.now += 0.01
      await cache.get(`t${n}`, 1)
    }
  }
  expect(state.loads).toBeLessThan(21_000 / 2)
})

test('beyond 32 MiB some of those that were used longest ago go, and the last one read stays', async () => {
  const state = { now: 1_000_000, loads: 0 }
  const load = async (id: string) => {
    state.loads += 1
    return { version: 1, value: id, bytes: id === 'huge' ? 64 * 1024 * 1024 : 1024 * 1024 }
  }
  const cache = createTenantCache(stage.pool, { load }, () => state.now)
  for (let n = 0; n < 33; n += 1) {
    state.now += 1
    await cache.get(`t${n}`)
  }
  expect(cache.peek('t0')).toBeUndefined()
  expect(cache.peek('t32')).toBe('t32')
  state.now += 1
  await cache.get('huge')
  expect(cache.peek('huge')).toBe('huge')
  expect(cache.peek('t32')).toBeUndefined()
  state.now += 1
  await cache.get('t1')
  expect([cache.peek('huge'), cache.peek('t1')]).toEqual([undefined, 't1'])
})

test('a large configuration that changes all the time is read once a second at most', async () => {
  let version = 1
  const state = { now: 1_000_000, loads: 0 }
  const load = async () => {
    state.loads += 1
    return { version, value: `v${version}`, bytes: 16 * 1024 * 1024 }
  }
  const cache = createTenantCache(stage.pool, { load }, () => state.now)
  await cache.get(tenantId)
  for (let change = 0; change < 100; change += 1) {
    version += 1
    cache.invalidate(tenantId)
    expect(await cache.get(tenantId)).toBe('v1')
  }
  expect(state.loads).toBe(1)
  expect(await cache.reread(tenantId)).toBe('v101')
  version += 1
  cache.invalidate(tenantId)
  state.now += 999
  expect(cache.peek(tenantId)).toBe('v101')
  state.now += 1
  expect(cache.peek(tenantId)).toBeUndefined()
  expect(await cache.get(tenantId)).toBe('v102')
})

test('who needs a later version of a large configuration waits for it', async () => {
  let version = 1
  const load = async () => ({ version, value: `v${version}`, bytes: 1024 * 1024 })
  const cache = createTenantCache(stage.pool, { load }, () => performance.now())
  const startedAt = performance.now()
  await cache.get(tenantId)
  version = 2
  expect(await cache.get(tenantId, 2)).toBe('v2')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(60)
})

test('a change bumps the version in its own transaction', async () => {
  const prisma = openPrisma(stage.url, 2)
  try {
    const version = async (): Promise<bigint | undefined> =>
      (await prisma.tenant.findUnique({ where: { id: tenantId } }))?.configVersion
    await prisma.$transaction(async (transaction) => await bumpConfigVersion(transaction, tenantId))
    expect(await version()).toBe(2n)
    const failing = prisma.$transaction(async (transaction) => {
      await bumpConfigVersion(transaction, tenantId)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect(await version()).toBe(2n)
  } finally {
    await prisma.$disconnect()
  }
})
