/** The order in which tenants are served. No clock is involved: tests state what an event costs. */
import { expect, test } from '@jest/globals'
import {
  createTenantQueues,
  type Job,
  MAX_BATCH,
  MAX_QUEUED,
  type TenantQueues,
} from './tenant-queues.ts'

const job = (tenantId: string, eventId: string | null): Job => ({
  tenantId,
  eventId,
  done: () => undefined,
})

function fill(queues: TenantQueues, tenantId: string, count: number): number {
  let taken = 0
  for (let n = 0; n < count; n += 1)
    if (queues.add(job(tenantId, `${tenantId} ${n}`)) === 'queued') taken += 1
  return taken
}

/**
 * Picks a batch and charges what its events cost.
 * @returns how many events of each tenant are in it
 */
function run(queues: TenantQueues, costs: Record<string, number> = {}): Record<string, number> {
  const groups = Map.groupBy(queues.pick(), ({ tenantId }) => tenantId)
  for (const [tenantId, jobs] of groups) {
    const each = costs[tenantId] ?? 0.02
    queues.charge(tenantId, { picked: jobs.length, cost: jobs.length * each, each })
  }
  return Object.fromEntries([...groups].map(([tenantId, jobs]) => [tenantId, jobs.length]))
}

test('a tenant alone has whole batches, in the order of its messages', () => {
  const queues = createTenantQueues()
  fill(queues, 'a', 2 * MAX_BATCH + 10)
  const all: Job[] = []
  for (const count of [MAX_BATCH, MAX_BATCH, 10, 0]) {
    const batch = queues.pick()
    expect(batch).toHaveLength(count)
    all.push(...batch)
  }
  expect(all.map(({ eventId }) => eventId)).toEqual(all.map((_, n) => `a ${n}`))
})

test('a tenant with few events is in the very next batch, however many others have', () => {
  const queues = createTenantQueues()
  for (const flood of ['x', 'y', 'z']) fill(queues, flood, 2_000)
  run(queues)
  fill(queues, 'small', 3)
  const batch = run(queues)
  expect(batch['small']).toBe(3)
  // The others share the rest equally.
  const shares = ['x', 'y', 'z'].map((flood) => batch[flood] ?? 0)
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(50)
  expect(shares.reduce((a, b) => a + b)).toBe(MAX_BATCH - 3)
})

test('expensive events have a bounded part of each batch, and are paid back before more follow', () => {
  const queues = createTenantQueues()
  const costs = { expensive: 25 }
  fill(queues, 'expensive', 500)
  queues.charge('expensive', { picked: 0, cost: 0, each: 25 })
  let [expensive, cheap] = [0, 0]
  for (let n = 0; n < 100; n += 1) {
    fill(queues, 'cheap', MAX_BATCH)
    const batch = run(queues, costs)
    expensive += batch['expensive'] ?? 0
    cheap += batch['cheap'] ?? 0
  }
  // One at a time, each of which takes longer than a batch should.
  expect(expensive).toBeGreaterThanOrEqual(50)
  expect(expensive).toBeLessThanOrEqual(100)
  expect(cheap).toBeGreaterThanOrEqual(100 * (MAX_BATCH - 20))
})

test('many tenants with expensive events are served in turn, and a cheap one goes before all of them', () => {
  const queues = createTenantQueues()
  const expensive = Array.from({ length: 50 }, (_, n) => `expensive ${n}`)
  const costs = Object.fromEntries(expensive.map((tenantId) => [tenantId, 20]))
  for (const tenantId of expensive) {
    queues.charge(tenantId, { picked: 0, cost: 0, each: 20 })
    fill(queues, tenantId, 10)
  }
  const seen = new Set<string>()
  for (let n = 0; n < 60; n += 1) {
    queues.add(job('cheap', String(n)))
    const picked = queues.pick()
    expect(picked[0]?.tenantId).toBe('cheap')
    expect(picked.length).toBeLessThanOrEqual(2)
    for (const { tenantId } of picked) {
      const each = costs[tenantId] ?? 0.02
      queues.charge(tenantId, { picked: 1, cost: each, each })
      seen.add(tenantId)
    }
  }
  expect(seen.size).toBe(51)
})

test('a cheap tenant is expensive after its first expensive event, and cheap again some time later', () => {
  const queues = createTenantQueues()
  fill(queues, 'a', 9_000)
  queues.charge('a', { picked: 0, cost: 0, each: 5 })
  const batches = Array.from({ length: 40 }, () => run(queues)['a'] ?? 0)
  expect(batches[0]).toBeLessThanOrEqual(2)
  expect(Math.max(...batches)).toBe(MAX_BATCH)
})

test('a tenant is forgotten with its last event, unless its events are expensive or it has a debt', () => {
  const queues = createTenantQueues()
  const costs = { cheap: 0.05, expensive: 3, busy: 0.05 }
  for (const tenantId of Object.keys(costs)) fill(queues, tenantId, 2)
  const batch = queues.pick()
  expect(batch).toHaveLength(6)
  queues.setBusy('busy')
  expect(queues.tenants()).toBe(3)
  for (const [tenantId, each] of Object.entries(costs))
    queues.charge(tenantId, { picked: 2, cost: 2 * each, each })
  expect(queues.tenants()).toBe(2)
  queues.free('busy')
  expect(queues.tenants()).toBe(1)
  // A batch has time for four events of 3 ms, and for twenty of a tenant that is new.
  fill(queues, 'expensive', 20)
  expect(run(queues, costs)).toEqual({ expensive: 4 })
})

test('a flood fills half of the queue, the next one half of the rest, and small tenants still fit', () => {
  const queues = createTenantQueues()
  expect(fill(queues, 'first', 2 * MAX_QUEUED)).toBe(MAX_QUEUED / 2)
  expect(fill(queues, 'second', 2 * MAX_QUEUED)).toBe(MAX_QUEUED / 4)
  for (let n = 0; n < 100; n += 1) expect(fill(queues, `small ${n}`, 10)).toBe(10)
  expect(queues.size()).toBeLessThanOrEqual(MAX_QUEUED)
})

test('a queued event is not queued again, and one that was put back comes first, and only once', () => {
  const queues = createTenantQueues()
  const done: string[] = []
  const jobOf = (name: string, eventId: string): Job => ({
    tenantId: 'a',
    eventId,
    done: () => void done.push(name),
  })
  expect(queues.add(jobOf('1', 'e'))).toBe('queued')
  expect(queues.add(jobOf('2', 'e'))).toBe('known')
  expect(queues.add(jobOf('3', 'f'))).toBe('queued')
  const [first] = queues.pick()
  expect(queues.add(jobOf('4', 'g'))).toBe('queued')
  expect(queues.add(jobOf('5', 'e'))).toBe('queued')
  queues.putBack('a', [first as Job])
  expect(done).toEqual(['5'])
  expect(queues.pick().map(({ eventId }) => eventId)).toEqual(['e', 'g'])
  expect(queues.size()).toBe(0)
})

test('nothing of a busy tenant is picked until it is free', () => {
  const queues = createTenantQueues()
  fill(queues, 'a', 3)
  queues.setBusy('a')
  fill(queues, 'a', 5)
  expect(run(queues)).toEqual({})
  queues.putBack('a', [job('a', null)])
  expect(run(queues)).toEqual({})
  queues.free('a')
  expect(run(queues)).toEqual({ a: 6 })
})

test('events that did not fit are read as the tenant’s oldest, once, when its queue is empty', () => {
  const queues = createTenantQueues()
  fill(queues, 'a', MAX_QUEUED)
  const ids: (string | null)[] = []
  for (let picked = queues.pick(); picked.length > 0; picked = queues.pick()) {
    ids.push(...picked.map(({ eventId }) => eventId))
    queues.charge('a', { picked: picked.length, cost: picked.length * 0.02, each: 0.02 })
  }
  expect(ids).toHaveLength(MAX_QUEUED / 2 + 1)
  expect(ids.indexOf(null)).toBe(MAX_QUEUED / 2)
  expect(queues.size()).toBe(0)
})
