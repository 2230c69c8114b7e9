import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { addSourceCounts, replaceCredentials } from './change-source.ts'
import { createSourceCache, findSource } from './find-source.ts'
import { makeTenant, openTestStore, type TestStore, type Tenant } from './store.fixture.ts'

let stage: TestStore
let tenant: Tenant
beforeAll(async () => {
  stage = await openTestStore()
  tenant = await makeTenant(stage.pool)
})
afterAll(async () => await stage.close())

async function addSource(status = 'active') {
  const id = newId()
  const pathSuffix = `path-${id}`
  await stage.pool.query(
    `INSERT INTO inbound_endpoints (tenant_id, id, project_id, path_suffix, name, source,
     credentials, status)
      VALUES ($1, $2, $3, $4, 'R', 'github', 'sealed', $5)`,
    [tenant.tenantId, id, tenant.projectId, pathSuffix, status],
  )
  return { tenantId: tenant.tenantId, id, pathSuffix }
}

async function rowOf(id: string) {
  const { rows } = await stage.pool.query('SELECT * FROM inbound_endpoints WHERE id = $1', [id])
  return rows[0]
}

/** A cache that counts what it looks up, at a time that the test sets. */
function createCounted() {
  const asked: string[] = []
  const clock = { now: 0 }
  const cache = createSourceCache(
    async (path) => {
      asked.push(path)
      return await findSource(stage.pool, path)
    },
    () => clock.now,
  )
  return { cache, asked, clock }
}

test('a source is found by its path, while it is active', async () => {
  const { id, pathSuffix } = await addSource()
  expect(await findSource(stage.pool, pathSuffix)).toEqual({
    ...tenant,
    id,
    pathSuffix,
    source: 'github',
    credentials: 'sealed',
    destinationIds: [],
    eventTypeMapping: null,
    transformation: null,
    plan: null,
    payerId: tenant.tenantId,
    version: expect.any(Number),
  })
  expect(await findSource(stage.pool, (await addSource('inactive')).pathSuffix)).toBeNull()
  expect(await findSource(stage.pool, 'nobody-has-this')).toBeNull()
})

test('is looked up once in a second, by many at once too, and so is one that nobody has', async () => {
  const { pathSuffix } = await addSource()
  const { cache, asked, clock } = createCounted()
  expect(cache.peek(pathSuffix)).toBeUndefined()
  const found = await Promise.all([1, 2, 3].map(() => cache.get(pathSuffix)))
  expect(new Set(found.map((one) => one?.pathSuffix))).toEqual(new Set([pathSuffix]))
  const nobody = 'nobody-has-this'
  expect([await cache.get(nobody), await cache.get(nobody)]).toEqual([null, null])
  expect(asked).toEqual([pathSuffix, nobody])
  clock.now = 999
  expect(cache.peek(pathSuffix)).not.toBeUndefined()
  clock.now = 1_000
  expect(cache.peek(pathSuffix)).toBeUndefined()
  await cache.get(pathSuffix)
  expect(asked).toHaveLength(3)
})

test('a change that is told is in force at once, for what nobody had too, and of a look-up under way', async () => {
  const first = await addSource()
  const { cache, asked } = createCounted()
  await cache.get(first.pathSuffix)
  await cache.get('nobody-has-this')
  cache.invalidate(newId())
  expect(cache.peek(first.pathSuffix)).not.toBeUndefined()
  expect(cache.peek('nobody-has-this')).toBeUndefined()
  cache.invalidate(tenant.tenantId)
  expect(cache.peek(first.pathSuffix)).toBeUndefined()
  const running = cache.get(first.pathSuffix)
  cache.invalidate(tenant.tenantId)
  expect(await running).not.toBeNull()
  expect(cache.peek(first.pathSuffix)).toBeUndefined()
  expect(asked).toHaveLength(3)
})

test('a flood of paths that nobody has pushes no source out, and queues up no further', async () => {
  const release = Promise.withResolvers<void>()
  const known = { tenantId: newId() }
  const cache = createSourceCache(async (path) => {
    if (path === 'known') return known
    await release.promise
    return null
  })
  await cache.get('known')
  const flood = Array.from({ length: 500 }, (_, n) => cache.get(`path ${n}`))
  expect(await flood[499]).toBeUndefined()
  expect(cache.peek('known')).toBe(known)
  release.resolve()
  expect((await Promise.all(flood)).filter((one) => one === null)).toHaveLength(200)
  for (let n = 0; n < 11_000; n += 1) await cache.get(`other ${n}`)
  expect(await cache.get('known')).toBe(known)
  expect(cache.peek('other 10999')).toBeNull()
  expect(cache.peek('other 0')).toBeUndefined()
})

test('counts add up, also of several at once, and the later rejection is the one that stays', async () => {
  const [one, other] = [await addSource(), await addSource()]
  const count = (at: number, reason: string | null) => ({
    received: 2,
    rejected: 1,
    lastReceivedAt: at,
    lastRejection: reason === null ? null : { at, reason },
  })
  const before = (await rowOf(one.id)).updated_at
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      addSourceCounts(stage.pool, [
        { ...(n % 2 === 0 ? one : other), ...count(5_000 - n, `reason ${n}`) },
        { ...(n % 2 === 0 ? other : one), ...count(1_000, null) },
      ]),
    ),
  )
  const counted = { received_count: '20', rejected_count: '10', updated_at: expect.any(Date) }
  expect(await rowOf(one.id)).toMatchObject({
    ...counted,
    last_received_at: new Date(5_000),
    last_rejected_at: new Date(5_000),
    last_rejection_reason: 'reason 0',
    updated_at: before,
  })
  expect(await rowOf(other.id)).toMatchObject({ ...counted, last_rejection_reason: 'reason 1' })
  await addSourceCounts(stage.pool, [])
})

test('credentials are replaced only while they are what was read', async () => {
  const source = await addSource()
  const read = { ...source, credentials: 'sealed' }
  expect(await replaceCredentials(stage.pool, read, 'learned')).toBe(true)
  expect(await replaceCredentials(stage.pool, read, 'another')).toBe(false)
  const { rows } = await stage.pool.query(
    'SELECT action, actor_type, metadata FROM audit_logs WHERE resource_id = $1',
    [read.id],
  )
  const changes = [{ field: 'sourceConfig', from: null, to: 'changed' }]
  const action = 'inbound_endpoint.learn_secret'
  expect(rows).toEqual([{ action, actor_type: 'system', metadata: { changes } }])
  expect(await rowOf(source.id)).toMatchObject({ credentials: 'learned' })
})
