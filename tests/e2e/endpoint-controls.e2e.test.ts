/**
 * Every control of an endpoint from the outside, in both modes, in the cluster with two
 * dispatchers.
 */
import { describe, expect, jest, test } from '@jest/globals'
import { serviceSignature, standardSignature } from '@posthorn/domain/signature'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  add,
  becomes,
  explain,
  get,
  IN_FORCE_MS,
  post,
  posthorn,
  receiver,
  upTo,
  useEndpoints,
  WAIT,
  waitsFor,
} from './endpoint-driver.ts'
import { MODES } from './posthorn.ts'

/** A test that waits for as long as it may and then fails still has the time to say why. */
jest.setTimeout(120_000)

/** No next attempt comes while a test looks. */
const ONE_TRY = { retryBackoffMs: 3_600_000, retryBackoffMax: 3_600_000 }
describe.each(MODES)('the controls of an endpoint (%s)', (mode) => {
  useEndpoints(mode)
  const attemptsOf = async (eventId: string) =>
    (await get(`/events/${eventId}/deliveries`)).deliveries

  test('a filter lets through what it holds for, and explain names what failed and the value', async () => {
    const small = { field: '$.order.total', operator: 'gte', value: 100 }
    const europe = { field: '$.order.country', operator: 'in', value: ['DE', 'FR'] }
    const shop = await add('filtered', { filter: [small, europe] })
    const taken = await shop.send({ n: 1, order: { total: 100, country: 'FR' } })
    const left = await shop.send({ n: 2, order: { total: 250, country: 'US' } })
    await becomes(taken, 'delivered')
    const why = await eventually(async () => {
      const explained = await explain(left)
      expect(explained.fannedOutAt).not.toBeNull()
      return explained.endpoints.find((one: { endpointId: string }) => one.endpointId === shop.id)
    }, WAIT)
    expect(why).toMatchObject({
      matched: false,
      reason: 'filter',
      filter: { condition: europe, index: 1, found: ['US'], tooCostly: false },
      deliveryId: null,
    })
    // What is posted after a change was answered goes by the change.
    await shop.patch({ filter: null })
    await becomes(await shop.send({ n: 3 }), 'delivered')
    expect(shop.came('n')).toEqual([1, 3])
  })

  test('a transformation changes payload and headers, which are signed as sent, or drops the delivery', async () => {
    const secret = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgc2hvcA=='
    const transformation = `function transform(event) {
      if (event.payload.drop) return null
      if (event.payload.fail) throw new TypeError('no such order')
      return { payload: { type: event.eventType, sum: event.payload.a + 1 }, headers: { 'X-Sum': 'yes' } }
    }`
    const fields = { transformation, signingSecret: secret, ...ONE_TRY }
    const shop = await add('transformed', fields)
    const changed = await becomes(await shop.send({ a: 1 }), 'delivered')
    const [request] = shop.requests()
    const body = String(request?.rawBody)
    expect(body).toBe('{"type":"transformed","sum":2}')
    const headers = request?.headers ?? {}
    const timestamp = Number(headers['x-service-timestamp'])
    expect(headers).toMatchObject({
      'x-sum': 'yes',
      'x-service-signature': serviceSignature(secret, timestamp, body),
      'webhook-signature': standardSignature(secret, changed.id, timestamp, body),
    })

    await becomes(await shop.send({ drop: true }), 'delivered')
    const failed = await becomes(await shop.send({ fail: true }), 'failed')
    expect(await attemptsOf(failed.id)).toMatchObject([
      {
        statusCode: 0,
        error: expect.stringMatching(/^transformation: TypeError: no such order/),
      },
    ])
    expect(shop.requests()).toHaveLength(1)
  })

  test('a transformation is tried out, and refused when it does not compile', async () => {
    const event = { payload: { a: 2 }, headers: { 'X-A': '1' } }
    const tried = async (script: string) => {
      const transformation = `function transform(event) { ${script} }`
      const answer = await post('/transformations/test', { transformation, event })
      expect(answer.status).toBe(200)
      return answer.body
    }
    expect(await tried('return { payload: { b: event.payload.a } }')).toEqual({
      result: { payload: { b: 2 }, headers: { 'X-A': '1' } },
      error: null,
    })
    expect(await tried('return null')).toEqual({ result: null, error: null })
    const threw = await tried('throw new Error("no")')
    expect(threw).toEqual({ result: null, error: expect.stringContaining('Error: no') })
    const endless = await tried('for (;;) {}')
    expect(endless).toEqual({ result: null, error: expect.stringContaining('100 ms') })
    const refused = await post('/endpoints', {
      url: `${receiver.url}/never`,
      eventTypes: ['never'],
      transformation: 'function transform(event) { return {',
    })
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(refused.body.details).toMatchObject([{ path: 'transformation' }])
  })

  test('FIFO keeps each lane in order, and a lane whose head fails holds no other', async () => {
    const shop = await add('lanes', {
      fifo: true,
      fifoPartitionKey: '$.lane',
      maxRetries: 25,
      retryBackoffMs: 100,
      retryBackoffMult: 1,
      circuitThreshold: 0,
    })
    const heads = (): string[] => shop.came('key').filter((key) => key === 'a0') as string[]
    const others = (): unknown[] => shop.came('lane').filter((lane) => lane === 'b')
    // The first of lane a fails twice at least, and until all of lane b is there: b can't be
    // waiting for it.
    shop.answer(({ rawBody }) => {
      if (JSON.parse(String(rawBody)).key !== 'a0') return { status: 200 }
      return { status: heads().length > 2 && others().length >= 10 ? 200 : 500 }
    })
    const ids: string[] = []
    for (const n of upTo(10)) {
      for (const lane of ['a', 'b']) ids.push(await shop.send({ lane, key: `${lane}${n}` }))
    }
    for (const id of ids) await becomes(id, 'delivered')
    const came = shop.came('key') as string[]
    const laneA = came.filter((key) => key.startsWith('a'))
    expect(heads().length).toBeGreaterThan(2)
    expect(laneA.slice(heads().length - 1)).toEqual(upTo(10).map((n) => `a${n}`))
    expect(came.filter((key) => key.startsWith('b'))).toEqual(upTo(10).map((n) => `b${n}`))
  })

  test('a circuit opens, costs no attempt while it is open, and closes by its probe', async () => {
    const circuitResetMs = 8_000
    const shop = await add('breaking', {
      circuitThreshold: 3,
      circuitResetMs,
      maxRetries: 10,
      retryBackoffMs: 100,
      retryBackoffMult: 1,
    })
    shop.answer(() => ({ status: 503 }))
    const first = await shop.send({ n: 0 })
    await eventually(async () => expect((await shop.read()).circuitState).toBe('open'), WAIT)
    expect(shop.requests()).toHaveLength(3)
    const lastFailedAt = shop.requests()[2]?.at ?? Number.NaN
    shop.answer(() => ({ status: 200 }))
    await eventually(() => Date.now() > lastFailedAt + IN_FORCE_MS, WAIT)
    const others = [await shop.send({ n: 1 }), await shop.send({ n: 2 })]

    expect(await becomes(first, 'delivered')).toMatchObject({ attempts: 4 })
    for (const id of others) expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 1 })
    expect(await shop.read()).toMatchObject({ circuitState: 'closed' })
    // Both clocks are this machine's; a tenth of a second for the answer that came between.
    const probeAt = shop.requests()[3]?.at ?? Number.NaN
    expect(probeAt - lastFailedAt).toBeGreaterThan(circuitResetMs - 100)
  })

  test('explain names the circuit that a delivery waits for', async () => {
    const shop = await add('broken', { circuitThreshold: 1, circuitResetMs: 600_000 })
    shop.answer(() => ({ status: 503 }))
    const id = await shop.send()
    await eventually(async () => expect((await shop.read()).circuitState).toBe('open'), WAIT)
    await waitsFor(id, 'circuit')
    // A resume closes the circuit at once.
    shop.answer(() => ({ status: 200 }))
    await post(`/endpoints/${shop.id}/resume`)
    expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 2 })
    expect(await shop.read()).toMatchObject({ circuitState: 'closed' })
  })

  test('a rate limit is that of all dispatchers together, is reached, smooth, and loses nothing', async () => {
    const rate = 20
    const shop = await add('limited', { rateLimitPerSec: rate })
    const [sentAt, elapsedMs] = [Date.now(), startLoopTime()]
    const ids = await Promise.all(upTo(60).map((n) => shop.send({ n })))
    await shop.arrived(60)
    const livedMs = elapsedMs()
    for (const id of ids) expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 1 })
    expect((shop.came('n') as number[]).toSorted((a, b) => a - b)).toEqual(upTo(60))
    // Three may go at once, the other 57 take 2.85 s, and what is sent may take as long again.
    const tookMs = Math.max(...shop.requests().map(({ at }) => at)) - sentAt
    process.stderr.write(`${mode}: 60 events at ${rate} a second took ${tookMs} ms\n`)
    expect(tookMs).toBeGreaterThan(2_600)
    expect(livedMs).toBeLessThan(6_000)
    // By the dispatchers' clock, for a busy machine may keep several waiting for their receiver.
    // 23 of them can begin within a second; half as many again for what it bunches together there.
    const begun = await Promise.all(
      ids.map(async (id) => Date.parse((await attemptsOf(id))[0]?.attemptedAt ?? '')),
    )
    const inASecond = begun.map((from) => begun.filter((at) => at >= from && at < from + 1_000))
    expect(Math.max(...inASecond.map((some) => some.length))).toBeLessThan(35)
  })

  test('lists of addresses hold back or let through, in both spellings', async () => {
    const blocked = await add('blocked', { blockedCidrs: ['127.0.0.0/8'] })
    const outside = await add('outside', { allowedCIDRs: ['10.0.0.0/8'] })
    const inside = await add('inside', { allowedCIDRs: ['127.0.0.1/32'], blockedCIDRs: [] })
    expect(outside.created).toMatchObject({ allowedCidrs: ['10.0.0.0/8'] })
    expect(outside.created).not.toHaveProperty('allowedCIDRs')
    for (const [shop, why] of [
      [blocked, "is in the endpoint's blockedCidrs"],
      [outside, "is not in the endpoint's allowedCidrs"],
    ] as const) {
      const dead = await becomes(await shop.send(), 'dead')
      expect(await attemptsOf(dead.id)).toMatchObject([
        { statusCode: 0, error: `blocked: 127.0.0.1 ${why}` },
      ])
      expect(shop.requests()).toHaveLength(0)
    }
    await becomes(await inside.send(), 'delivered')
    const body = { url: receiver.url, eventTypes: ['x'], allowedCidrs: [], allowedCIDRs: [] }
    expect(await post('/endpoints', body)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'allowedCIDRs' }] },
    })
  })

  test('in storage mode an event becomes a file of its bytes', async () => {
    const shop = await add('stored', {
      url: 'storage://archive',
      deliveryMode: 'storage',
      storageConfig: { type: 'file', prefix: 'in/shop' },
    })
    const event =
      '{"eventType":"stored","payload":{"b":1.10,"a":12345678901234567890,"t":"\\u00e9"}}'
    const accepted = await posthorn.call('POST', '/api/v1/events', event, {
      'X-Idempotency-Key': 'stored-1',
    })
    const { id, createdAt } = accepted.body
    expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 1 })
    const day = createdAt.slice(0, 10).replaceAll('-', '/')
    const { storageDir, tenantId } = posthorn
    const path = join(storageDir, tenantId, 'in/shop', shop.type, day, `${id}.json`)
    expect(await readFile(path, 'utf8')).toBe('{"b":1.10,"a":12345678901234567890,"t":"\\u00e9"}')
    const outside = { storageConfig: { type: 'file', prefix: '../out' } }
    const refused = await posthorn.call('PATCH', `/api/v1/endpoints/${shop.id}`, outside)
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })

  test('a test goes to its endpoint alone, whatever it subscribes to', async () => {
    const filter = [{ field: '$.never', operator: 'exists', value: true }]
    const shop = await add('sampled', { filter })
    const other = await add('other')
    const sample = await post(`/endpoints/${shop.id}/test`, {
      eventType: other.type,
      payload: { n: 1 },
    })
    expect(sample).toMatchObject({ status: 201, body: { status: 'queued', eventType: 'other' } })
    await becomes(sample.body.id, 'delivered')
    expect(shop.came('n')).toEqual([1])
    const { endpoints } = await explain(sample.body.id)
    const why = endpoints.find((one: { endpointId: string }) => one.endpointId === other.id)
    expect(why).toMatchObject({ matched: false, reason: 'test' })
    const { id } = (await post(`/endpoints/${shop.id}/test`)).body
    await becomes(id, 'delivered')
    expect(shop.came('test')).toEqual([undefined, true])
    expect(other.requests()).toHaveLength(0)
  })
})
