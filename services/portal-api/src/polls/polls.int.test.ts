import { request } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import { createTestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { portal, startTestPortal, tenant } from '../portal.fixture.ts'
import { RECHECK_MS } from './listen-for-polls.ts'
import { createWaitingPolls } from './waiting-polls.ts'
import {
  ack,
  countFetches,
  createEndpoint,
  endpointId,
  idsOf,
  poll,
  pollEndpoint,
  send,
  usePollEndpoint,
  waiters,
} from './polls.fixture.ts'

const SOME_ID = '01981f3a-7c00-7000-8000-000000000001'

usePollEndpoint()

describe('a poll', () => {
  test('answers what is there: the oldest first, its payload to the byte, its headers with the endpoint’s', async () => {
    const first = await send({ headers: '{"x-kind":"order","X-Other":"1"}' })
    const second = await send()
    const answer = await poll()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      events: [
        {
          id: first,
          eventType: 'order.paid',
          payload: expect.anything(),
          headers: { 'X-Shop': 'one', 'x-kind': 'order', 'X-Other': '1' },
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
        expect.objectContaining({ id: second, headers: { 'X-Shop': 'one', 'X-Kind': 'shop' } }),
      ],
      count: 2,
    })
    expect(Object.keys(answer.body.events[0])).toEqual([
      'id',
      'eventType',
      'payload',
      'headers',
      'createdAt',
    ])
    expect(answer.text).toContain('"payload":{"b":1.10,"a":12345678901234567890}')
  })

  test('takes as many as its limit, 10 unless given', async () => {
    const sent: string[] = []
    for (let n = 0; n < 12; n += 1) sent.push(await send({}, false))
    expect(idsOf(await poll('&limit=1'))).toEqual(sent.slice(0, 1))
    expect(idsOf(await poll())).toEqual(sent.slice(1, 11))
    expect(idsOf(await poll())).toEqual(sent.slice(11))
  })

  test('hides what it returned until the visibility timeout, then it is returned again', async () => {
    const id = await send()
    expect(idsOf(await poll())).toEqual([id])
    expect((await poll('&timeout=1')).body).toEqual({ events: [], count: 0 })
    await portal.pool.query('UPDATE due SET due_at = now() WHERE tenant_id = $1', [tenant.tenantId])
    const { polls } = await sweepDue(portal.pool, 100)
    expect(polls).toEqual([{ v: 1, tenantId: tenant.tenantId, endpointId }])
    expect(idsOf(await poll())).toEqual([id])
  })

  test('waits, and wakes by the re-check when the announcement is lost, else at once', async () => {
    const unannounced = poll('&timeout=60')
    await waiters(1)
    const lost = await send({}, false)
    expect(idsOf(await unannounced)).toEqual([lost])
    // A re-check has just been: only an announcement can wake a poll before the next.
    const announced = poll('&timeout=60')
    await waiters(1)
    const id = await send()
    const elapsedMs = startLoopTime()
    expect(idsOf(await announced)).toEqual([id])
    expect(elapsedMs()).toBeLessThan(RECHECK_MS / 2)
  })

  test('answers nothing when its time is over', async () => {
    const startedAt = performance.now()
    expect((await poll('&timeout=1')).body).toEqual({ events: [], count: 0 })
    expect(performance.now() - startedAt).toBeGreaterThan(950)
  })

  test('of a paused endpoint waits for the resume', async () => {
    await tenant.call('POST', `/endpoints/${endpointId}/pause`)
    const id = await send()
    expect((await poll('&timeout=1')).body.count).toBe(0)
    const waiting = poll('&timeout=60')
    await waiters(1)
    await tenant.call('POST', `/endpoints/${endpointId}/resume`)
    expect(idsOf(await waiting)).toEqual([id])
  })

  test.each([
    ['without endpoint_id', '/poll'],
    ['with one that is no id', '/poll?endpoint_id=orders'],
    ['with limit 0', `/poll?endpoint_id=${SOME_ID}&limit=0`],
    ['with limit 101', `/poll?endpoint_id=${SOME_ID}&limit=101`],
    ['with timeout 0', `/poll?endpoint_id=${SOME_ID}&timeout=0`],
    ['with timeout 61', `/poll?endpoint_id=${SOME_ID}&timeout=61`],
    ['with timeout 1.5', `/poll?endpoint_id=${SOME_ID}&timeout=1.5`],
  ])('%s is a bad request', async (_, path) => {
    expect(await tenant.call('GET', path)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
  })

  test('of an unknown endpoint, a deleted one or another tenant’s: 404, to poll and to acknowledge', async () => {
    const other = await portal.addTenant()
    const deleted = await createEndpoint()
    await tenant.call('DELETE', `/endpoints/${deleted}`)
    for (const [by, id] of [
      [tenant, newId()],
      [tenant, deleted],
      [other, endpointId],
    ] as const) {
      const polled = await by.call('GET', `/poll?endpoint_id=${id}&timeout=1`)
      const acked = await by.call('POST', '/poll/ack', { endpoint_id: id, event_ids: [] })
      expect([polled.status, acked.status]).toEqual([404, 404])
    }
  })

  test('of an endpoint in another mode: 409', async () => {
    pollEndpoint(await createEndpoint({ url: 'https://shop.example/', deliveryMode: 'push' }))
    for (const answer of [await poll(), await ack()]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
    }
  })

  test('needs a key that may write deliveries', async () => {
    const scopes = async (...granted: string[]): Promise<number[]> => {
      const made = await tenant.call('POST', '/api-keys', { name: 'k', scopes: granted })
      const call = portal.callAs(made.body.key)
      const polled = await call('GET', `/poll?endpoint_id=${endpointId}&timeout=1`)
      const acked = await call('POST', '/poll/ack', { endpoint_id: endpointId, event_ids: [] })
      return [polled.status, acked.status]
    }
    expect(await scopes('deliveries:read', 'events:write')).toEqual([403, 403])
    expect(await scopes('deliveries:write')).toEqual([200, 200])
  })
})

describe('many polls', () => {
  test('200 that wait cost a query in two seconds, and each event goes to one of them', async () => {
    const polls = Array.from({ length: 200 }, () => poll('&timeout=60&limit=1'))
    await waiters(200)
    const countFor = async (ms: number) =>
      await countFetches(async () => {
        const since = performance.now()
        await eventually(() => expect(performance.now() - since).toBeGreaterThan(ms))
      })
    // Those that were sent for the newcomers may still be on their way.
    await eventually(async () => expect((await countFor(300))['fetch-visible'] ?? 0).toBe(0))
    const idle = await countFor(5_000)
    expect(idle['find-visible'] ?? 0).toBeLessThanOrEqual(3)
    expect(idle['fetch-visible'] ?? 0).toBe(0)
    const sent: string[] = []
    const busy = await countFetches(async () => {
      for (let n = 0; n < 200; n += 1) sent.push(await send())
      const answers = await Promise.all(polls)
      expect(answers.flatMap(idsOf).sort()).toEqual(sent.sort())
    })
    // One for each event, and at most one more for each announcement.
    expect(busy['fetch-visible']).toBeLessThanOrEqual(401)
  })

  test('a client that leaves stops waiting and gets no event', async () => {
    const { hostname, port } = new URL(portal.url)
    const path = `/api/v1/poll?endpoint_id=${endpointId}&timeout=60`
    const leaving = request({ hostname, port, path, headers: { 'X-API-Key': tenant.key } })
    leaving.on('error', () => {})
    leaving.end()
    await waiters(1)
    leaving.destroy()
    await waiters(0)
    const id = await send()
    expect(idsOf(await poll())).toEqual([id])
  })
})

test('a service that stops answers those that wait with nothing, at once', async () => {
  const ending = await startTestPortal(await createTestDatabase())
  const owner = await ending.addTenant()
  const { body } = await owner.call('POST', '/endpoints', {
    url: 'poll://orders',
    eventTypes: ['*'],
    deliveryMode: 'poll',
  })
  const waiting = owner.call('GET', `/poll?endpoint_id=${body.id}&timeout=60`)
  await eventually(() => expect(ending.waitingPolls()).toBe(1))
  const stoppingMs = startLoopTime()
  const closed = ending.close()
  expect((await waiting).body).toEqual({ events: [], count: 0 })
  expect(stoppingMs()).toBeLessThan(5_000)
  await closed
})

test('a tenant’s polls beyond 1,000 are refused with 429 and the headers of a rate limit', async () => {
  const limit = 1_000
  const leaving = new AbortController()
  const target = { tenantId: tenant.tenantId, endpointId }
  const polls = createWaitingPolls({
    fetch: async () => [],
    findVisible: async () => [],
    now: () => 1_700_000_000_400,
  })
  const waiting = Array.from({ length: limit }, () => polls.wait(target, 1, 60_000, leaving.signal))
  const refused = await polls.wait(target, 1, 60_000, leaving.signal).catch((error) => error)
  expect(refused).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 1,
    headers: {
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '1700000002',
    },
  })
  leaving.abort()
  expect(await Promise.all(waiting)).toEqual(Array(limit).fill([]))
})
