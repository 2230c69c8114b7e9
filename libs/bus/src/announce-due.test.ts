import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { createAnnounceDue } from './announce-due.ts'

function delivery(more: Partial<DueDelivery> = {}): DueDelivery {
  return {
    v: 1,
    kind: 'delivery',
    token: 1,
    tenantId: 't',
    projectId: 'p',
    eventId: 'e',
    deliveryId: 'd',
    endpointId: 'n',
    lane: null,
    destination: null,
    eventType: 'order.paid',
    payload: '{}',
    headers: null,
    priority: 5,
    seq: 1,
    attempts: 0,
    attemptsBefore: 0,
    maxAttempts: null,
    traceId: 'x',
    createdAt: 0,
    ...more,
  }
}

function announcer() {
  const counts = new Map<string, number>()
  let at = 0
  const announce = createAnnounceDue(
    {
      announce(topic, messages) {
        counts.set(topic, (counts.get(topic) ?? 0) + messages.length)
        return messages.length
      },
    },
    () => at,
  )
  return {
    announce,
    many: (count: number, more?: Partial<DueDelivery>) =>
      announce(Array.from({ length: count }, () => delivery(more))),
    pass: (ms: number) => (at += ms),
    take() {
      const taken = Object.fromEntries(counts)
      counts.clear()
      return taken
    },
  }
}

test('what a flow sends beyond 500 at once, and 500 a second, goes on the bulk topic', () => {
  const { many, pass, take } = announcer()
  many(2_000)
  expect(take()).toEqual({ 'delivery.due.normal': 500, 'delivery.due.normal.bulk': 1_500 })
  pass(100)
  many(200)
  expect(take()).toEqual({ 'delivery.due.normal': 50, 'delivery.due.normal.bulk': 150 })
  pass(60_000)
  many(501)
  expect(take()).toEqual({ 'delivery.due.normal': 500, 'delivery.due.normal.bulk': 1 })
})

test('a flow of twice its rate changes topics ten times a second, and has its rate in each second', () => {
  const { many, pass, take } = announcer()
  many(2_000)
  take()
  const groups: Record<string, number>[] = []
  for (let group = 0; group < 1_000; group += 1) {
    pass(5)
    many(5)
    groups.push(take())
  }
  const sparse = groups.map((one) => one['delivery.due.normal'] ?? 0)
  expect(sparse.reduce((sum, count) => sum + count, 0)).toBeCloseTo(2_500, -2)
  const isSparse = sparse.map((count) => count > 0)
  const changes = isSparse.filter((one, n) => n > 0 && one !== isSparse[n - 1]).length
  expect(changes).toBeLessThan(110)
  expect(groups.filter((one) => Object.keys(one).length > 1).length).toBeLessThan(60)
  // However many it sends at once, some 50 of them go beside those of others.
  pass(50)
  many(1_000)
  expect(take()['delivery.due.normal']).toBeLessThan(60)
})

test("a flood of one type leaves the tenant's other flows and other tenants where they were", () => {
  const { many, take } = announcer()
  many(100_000)
  take()
  many(50, { endpointId: null, destination: 'https://example.com', eventType: null })
  many(50, { eventType: 'order.sent' })
  many(50, { tenantId: 'other' })
  expect(take()).toEqual({ 'delivery.due.normal': 150 })
  many(50, { priority: 1 })
  expect(take()).toEqual({ 'delivery.due.high': 50 })
})

test('a tenant with many flows has 2,000 a second in all, and no more', () => {
  const { many, take } = announcer()
  for (let type = 0; type < 100; type += 1) many(100, { eventType: `type.${type}` })
  expect(take()).toEqual({ 'delivery.due.normal': 2_000, 'delivery.due.normal.bulk': 8_000 })
})

test('more flows than are measured are limited by the rate of their tenant', () => {
  const { many, take } = announcer()
  for (let type = 0; type < 20_000; type += 1) many(1, { eventType: `type.${type}` })
  expect(take()).toEqual({ 'delivery.due.normal': 2_000, 'delivery.due.normal.bulk': 18_000 })
})

test('a backlog is announced as high, however many there are', () => {
  const { announce, take } = announcer()
  const backlog = { v: 1, kind: 'backlog', token: 1, tenantId: 't', targetId: 'g' } as const
  announce(Array.from({ length: 1_000 }, () => ({ ...backlog, endpointId: null })))
  expect(take()).toEqual({ 'delivery.due.high': 1_000 })
})

test('the cost of a batch grows with its size alone, also beyond the flows that are measured', () => {
  function costOf(types: number): number {
    let least = Infinity
    for (let run = 0; run < 5; run += 1) {
      const { announce } = announcer()
      const messages = Array.from({ length: types }, (_, n) => delivery({ eventType: `t.${n}` }))
      const before = process.cpuUsage()
      announce(messages)
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, user + system)
    }
    return least
  }
  costOf(2_000)
  // Ten times as many cost ten times as much; some 500 times where each flow looks through all.
  expect(costOf(40_000)).toBeLessThan(60 * costOf(4_000))
})
