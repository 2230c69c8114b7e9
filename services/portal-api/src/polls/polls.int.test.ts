import { request } from 'node:http'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import { fanOut } from '@posthorn/store/pipeline/fan-out'
import { editEvent } from '@posthorn/store/pipeline/replay-events'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import { createTestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import {
  actAs,
  type ApiResponse,
  type Json,
  portal,
  startTestPortal,
  tenant,
  usePortal,
} from '../portal.fixture.ts'
import { RECHECK_MS } from './listen-for-polls.ts'
import { createWaitingPolls } from './waiting-polls.ts'

const SOME_ID = '01981f3a-7c00-7000-8000-000000000001'

usePortal()
let endpointId: string
beforeEach(async () => {
  endpointId = await createEndpoint({ customHeaders: { 'X-Shop': 'one', 'X-Kind': 'shop' } })
})

async function createEndpoint(more: object = {}): Promise<string> {
  const body = { url: 'poll://orders', eventTypes: ['*'], deliveryMode: 'poll', ...more }
  const answer = await tenant.call('POST', '/endpoints', body)
  expect([answer.status, answer.body.deliveryMode]).toEqual([201, body.deliveryMode])
  return answer.body.id
}

function newEvent(more: Partial<NewEvent> = {}): NewEvent {
  return {
    tenantId: tenant.tenantId,
    id: newId(),
    projectId: tenant.projectId,
    source: 'api',
    idempotencyKey: newId(),
    destination: null,
    targetId: null,
    eventType: 'order.paid',
    payload: '{"b":1.10,"a":12345678901234567890}',
    headers: null,
    maxAttempts: null,
    priority: 5,
    traceId: 'trace',
    delaySeconds: 0,
    ...more,
  }
}

/** Does what ingest and fan-out do. */
async function send(more: Partial<NewEvent> = {}, announced = true): Promise<string> {
  const event = newEvent(more)
  const { tenantId, id: eventId } = event
  await acceptEvents(portal.pool, [event])
  await fanOut(portal.pool, [
    { tenantId, eventId, deliveries: [{ deliveryId: newId(), endpointId }] },
  ])
  if (announced) portal.bus.announce('poll.ready', [{ v: 1, tenantId, endpointId }])
  return eventId
}

async function poll(query = ''): Promise<ApiResponse> {
  return await tenant.call('GET', `/poll?endpoint_id=${endpointId}${query}`)
}

async function ack(...ids: string[]): Promise<ApiResponse> {
  return await tenant.call('POST', '/poll/ack', { endpoint_id: endpointId, event_ids: ids })
}

const idsOf = (answer: ApiResponse): string[] => answer.body.events.map(({ id }: Json) => id)

/** The queries of polls that the service has sent, without the bookkeeping of the pool. */
async function countFetches(during: () => Promise<void>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const query = portal.pool.query.bind(portal.pool)
  portal.pool.query = ((...args: unknown[]) => {
    const [statement] = args
    const name = (statement as { name?: string }).name ?? String(statement)
    counts[name] = (counts[name] ?? 0) + 1
    return (query as (...all: unknown[]) => unknown)(...args)
  }) as typeof portal.pool.query
  try {
    await during()
  } finally {
    portal.pool.query = query
  }
  return counts
}

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
    endpointId = await createEndpoint({ url: 'https://shop.example/', deliveryMode: 'push' })
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

describe('a transformation', () => {
  const withScript = async (body: string, more: object = {}): Promise<void> => {
    const transformation = `function transform(event) { ${body} }`
    endpointId = await createEndpoint({
      transformation,
      customHeaders: { 'X-Shop': 'one' },
      ...more,
    })
  }
  const explained = async (id: string): Promise<Json> =>
    (await tenant.call('GET', `/events/${id}/explain`)).body.deliveries[0]
  /** Ends the visibility timeout of the fetched events. */
  const expireVisibility = async (): Promise<void> => {
    await portal.pool.query('UPDATE due SET due_at = now() WHERE tenant_id = $1', [tenant.tenantId])
    await sweepDue(portal.pool, 100)
  }

  test('runs at each fetch, in the version in force then', async () => {
    await withScript(
      `return { payload: { was: event.payload.b, type: event.eventType },
        headers: { 'X-Made': event.headers['X-Own'] } }`,
    )
    const id = await send({ headers: '{"X-Own":"own"}' })
    const [first] = (await poll()).body.events
    expect(first).toMatchObject({ id, payload: { was: 1.1, type: 'order.paid' } })
    expect(first.headers).toEqual({ 'X-Shop': 'one', 'X-Made': 'own' })
    await expireVisibility()
    const transformation = 'function transform() { return { payload: { now: 2 } } }'
    await tenant.call('PATCH', `/endpoints/${endpointId}`, { transformation })
    expect((await poll()).body.events).toMatchObject([
      { id, payload: { now: 2 }, headers: { 'X-Own': 'own' } },
    ])
  })

  test('that returns null drops the event: it is delivered, and the poll gets the next', async () => {
    await withScript('return event.payload.drop ? null : {}')
    const dropped = [await send({ payload: '{"drop":1}' }), await send({ payload: '{"drop":2}' })]
    const kept = await send()
    expect(idsOf(await poll('&limit=2'))).toEqual([kept])
    for (const id of dropped) {
      expect(await explained(id)).toMatchObject({
        state: 'delivered',
        attempts: 1,
        lastError: null,
      })
    }
    expect((await ack(...dropped)).body.acknowledged).toEqual(dropped)
  })

  test('that fails leaves the event waiting, counts as a fetch, and is explained', async () => {
    await withScript('if (event.payload.bad) throw new Error("no such order"); return {}', {
      maxRetries: 2,
    })
    const bad = await send({ payload: '{"bad":1}' })
    const good = await send()
    expect(idsOf(await poll())).toEqual([good])
    const lastError = expect.stringMatching(/^transformation: .*no such order/)
    expect(await explained(bad)).toMatchObject({ state: 'delivering', attempts: 1, lastError })
    expect((await poll('&timeout=1')).body.count).toBe(0)
    await expireVisibility()
    expect(await explained(bad)).toMatchObject({ state: 'queued', attempts: 1, lastError })
    expect(idsOf(await poll('&timeout=1'))).toEqual([good])
    await expireVisibility()
    expect(await explained(bad)).toMatchObject({
      state: 'dead',
      attempts: 2,
      lastError,
      deadReason: 'not acknowledged',
    })
  })

  test('that is repaired lets it through, and its error is cleared', async () => {
    await withScript('throw new Error("broken")')
    const id = await send()
    expect((await poll('&timeout=1')).body.count).toBe(0)
    await expireVisibility()
    const transformation = 'function transform() { return {} }'
    await tenant.call('PATCH', `/endpoints/${endpointId}`, { transformation })
    expect(idsOf(await poll())).toEqual([id])
    expect((await explained(id)).lastError).toBeNull()
  })

  test('that never ends stops neither the event loop nor another tenant', async () => {
    await withScript('for (;;);')
    for (let n = 0; n < 5; n += 1) await send()
    const slow = poll('&timeout=1')
    const mine = { tenant, endpointId }
    actAs(await portal.addTenant())
    endpointId = await createEndpoint({ transformation: 'function transform() { return {} }' })
    const before = process.threadCpuUsage()
    for (let n = 0; n < 5; n += 1) {
      const id = await send()
      expect(idsOf(await poll())).toEqual([id])
    }
    // Five scripts of 100 ms on this thread would have taken 500.
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(400)
    actAs(mine.tenant)
    endpointId = mine.endpointId
    expect((await slow).body.count).toBe(0)
  })
})

describe('an acknowledgement', () => {
  test('of what was edited since it was fetched is not taken: the edited event comes again', async () => {
    const dead = newId()
    const id = await send()
    await portal.pool.query(
      `INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority,
        state, dead_reason, ended_at)
       SELECT tenant_id, $2, event_id, $2, $2, seq, priority, 4, 'expired', now()
       FROM deliveries WHERE event_id = $1`,
      [id, dead],
    )
    await portal.pool.query('UPDATE events SET dead_count = 1 WHERE id = $1', [id])
    expect(idsOf(await poll())).toEqual([id])
    const edit = { payload: '{"edited":true}' }
    expect((await editEvent(portal.pool, tenant.tenantId, id, edit, true)).outcome).toBe('edited')
    expect((await ack(id)).body).toEqual({ acknowledged: [], notFound: [id] })
    await portal.pool.query('UPDATE due SET due_at = now() WHERE tenant_id = $1', [tenant.tenantId])
    await sweepDue(portal.pool, 100)
    // Events that have become visible again are not returned either, because the check did not see
    // them.
    expect((await ack(id)).body.acknowledged).toEqual([])
    expect((await poll()).body.events).toMatchObject([{ id, payload: { edited: true } }])
    expect((await ack(id)).body.acknowledged).toEqual([id])
  })

  test('of an edited event that was fetched as often as it may be: it comes once more', async () => {
    endpointId = await createEndpoint({ maxRetries: 1 })
    const id = await send()
    expect(idsOf(await poll())).toEqual([id])
    await portal.pool.query('UPDATE deliveries SET edition = edition + 1 WHERE event_id = $1', [id])
    const end = async (): Promise<void> => {
      await portal.pool.query('UPDATE due SET due_at = now() WHERE tenant_id = $1', [
        tenant.tenantId,
      ])
      await sweepDue(portal.pool, 100)
    }
    await end()
    expect(idsOf(await poll())).toEqual([id])
    await end()
    expect((await ack(id)).body.acknowledged).toEqual([])
  })

  test('lists what was acknowledged and not found, however often it is sent', async () => {
    const [first, second] = [await send(), await send()]
    await poll()
    const unknown = newId()
    for (let time = 0; time < 2; time += 1) {
      const answer = await ack(first.toUpperCase(), second, second, unknown, 'nothing')
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        acknowledged: [first, second],
        notFound: [unknown, 'nothing'],
      })
    }
    expect((await poll('&timeout=1')).body.count).toBe(0)
    expect((await ack()).body).toEqual({ acknowledged: [], notFound: [] })
  })

  test.each([
    [{ event_ids: [] }],
    [{ endpoint_id: 'orders', event_ids: [] }],
    [{ endpoint_id: SOME_ID }],
    [{ endpoint_id: SOME_ID, event_ids: 'one' }],
    [{ endpoint_id: SOME_ID, event_ids: [1] }],
    [{ endpoint_id: SOME_ID, event_ids: [], more: true }],
  ])('%j is a bad request', async (body) => {
    expect((await tenant.call('POST', '/poll/ack', body)).body.code).toBe('BAD_REQUEST')
  })
})

describe('an endpoint in poll mode', () => {
  test.each([
    ['https://shop.example/'],
    ['poll://'],
    ['poll://a b'],
    ['POLL://a'],
    ['storage://a'],
  ])('has a label for a url, and not %s', async (url) => {
    const body = { url, eventTypes: ['*'], deliveryMode: 'poll' }
    expect(await tenant.call('POST', '/endpoints', body)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: [{ path: 'url' }] },
    })
  })

  test('changes its mode only together with a url that fits', async () => {
    const patch = (body: object) => tenant.call('PATCH', `/endpoints/${endpointId}`, body)
    const push = { deliveryMode: 'push', url: 'https://shop.example/' }
    expect((await patch({ deliveryMode: 'push' })).status).toBe(400)
    expect((await patch({ url: 'https://shop.example/' })).status).toBe(400)
    expect((await patch({ url: 'poll://others' })).body.url).toBe('poll://others')
    expect((await patch(push)).body).toMatchObject(push)
    expect((await patch({ url: 'poll://orders' })).status).toBe(400)
    expect((await patch({ deliveryMode: 'poll' })).status).toBe(400)
    const back = { deliveryMode: 'poll', url: 'poll://orders' }
    expect((await patch(back)).body).toMatchObject(back)
  })

  test('sends what waits when it changes to push, by PATCH and by rollback', async () => {
    await tenant.call('PATCH', `/endpoints/${endpointId}`, { description: 'polled' })
    await send()
    const push = { deliveryMode: 'push', url: 'https://shop.example/' }
    await tenant.call('PATCH', `/endpoints/${endpointId}`, push)
    const { backlogs } = await sweepDue(portal.pool, 100)
    expect(backlogs.map(({ targetId }) => targetId)).toEqual([endpointId])
    const rolledBack = await tenant.call('POST', `/endpoints/${endpointId}/versions/2/rollback`)
    expect([rolledBack.status, rolledBack.body.deliveryMode]).toEqual([200, 'poll'])
    expect((await sweepDue(portal.pool, 100)).backlogs).toHaveLength(1)
  })

  test('that is deleted announces what waits, so that it is ended', async () => {
    await send()
    await tenant.call('DELETE', `/endpoints/${endpointId}`)
    const { backlogs } = await sweepDue(portal.pool, 100)
    expect(backlogs.map(({ targetId }) => targetId)).toEqual([endpointId])
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

async function waiters(count: number): Promise<void> {
  await eventually(() => expect(portal.waitingPolls()).toBe(count))
}
