/**
 * Every control of an endpoint from the outside, in both modes, in the cluster with two
 * dispatchers.
 */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { serviceSignature, standardSignature } from '@posthorn/domain/signature'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEndpointDriver, WAIT } from './endpoint-driver.ts'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

/** A test that waits for as long as it may and then fails still has the time to say why. */
jest.setTimeout(120_000)

/** No next attempt comes while a test looks. */
const ONE_TRY = { retryBackoffMs: 3_600_000, retryBackoffMax: 3_600_000 }
/** Decided: what is changed is in force everywhere by then. */
const IN_FORCE_MS = 2_000

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

describe.each(MODES)('the controls of an endpoint (%s)', (mode) => {
  let posthorn: SharedProduct
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver()
    posthorn = await joinProduct(mode)
  }, 150_000)

  afterAll(async () => {
    await posthorn.leave()
    await receiver.close()
  }, 60_000)

  const { add, becomes, explain, waitsFor } = createEndpointDriver(
    () => posthorn,
    () => receiver,
  )
  const post = (path: string, body?: unknown) => posthorn.call('POST', `/api/v1${path}`, body)
  const get = async (path: string) => (await posthorn.call('GET', `/api/v1${path}`)).body
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

  test.each([false, true])(
    'paused, events wait; resumed, they go in order (FIFO: %s)',
    async (fifo) => {
      const shop = await add(`pausing-${fifo}`, { fifo })
      await becomes(await shop.send({ n: -1 }), 'delivered')
      expect((await post(`/endpoints/${shop.id}/pause`)).body).toMatchObject({ status: 'paused' })
      const pausedAt = Date.now()
      await eventually(() => Date.now() > pausedAt + IN_FORCE_MS, WAIT)
      const ids: string[] = []
      for (const n of upTo(10)) ids.push(await shop.send({ n }))
      for (const id of fifo ? ids.slice(0, 1) : ids) await waitsFor(id, 'paused')
      for (const id of ids) {
        expect(await posthorn.event(id)).toMatchObject({ status: 'queued', attempts: 0 })
      }
      expect(shop.requests()).toHaveLength(1)
      const resumed = await post(`/endpoints/${shop.id}/resume`)
      expect(resumed.body).toMatchObject({ status: 'active' })
      for (const id of ids) expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 1 })
      expect(shop.came('n')).toEqual([-1, ...upTo(10)])
    },
  )

  test('created paused, an endpoint gets nothing until it is resumed', async () => {
    const shop = await add('waiting', { status: 'paused' })
    expect(shop.created).toMatchObject({ status: 'paused' })
    const id = await shop.send({ n: 1 })
    await waitsFor(id, 'paused')
    expect(shop.requests()).toHaveLength(0)
    await post(`/endpoints/${shop.id}/resume`)
    expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 1 })
  })

  test('versions are kept, compared and gone back to', async () => {
    const shop = await add('versions', { customHeaders: { 'X-Version': 'one' } })
    await shop.patch({ customHeaders: { 'X-Version': 'two' }, timeoutMs: 5_000 })
    await shop.patch({ description: 'the third' })
    const path = `/endpoints/${shop.id}/versions`
    const changesOf = ({ version, changes }: { version: number; changes: string[] }) => {
      return [version, changes.toSorted()]
    }
    const before = (await get(path)).data
    expect(before.map(changesOf).slice(0, 2)).toEqual([
      [3, ['description']],
      [2, ['customHeaders', 'timeoutMs']],
    ])
    const diff = await get(`${path}/diff?v1=1&v2=2`)
    expect(diff).toEqual({ v1: 1, v2: 2, changes: expect.any(Array) })
    expect(diff.changes).toHaveLength(2)
    expect(diff.changes).toEqual(
      expect.arrayContaining([
        { field: 'timeoutMs', from: 30_000, to: 5_000 },
        {
          field: 'customHeaders',
          from: { 'X-Version': 'one' },
          to: { 'X-Version': 'two' },
        },
      ]),
    )
    const back = await post(`${path}/1/rollback`)
    expect(back).toMatchObject({ status: 200, body: { version: 4, description: null } })
    expect((await get(`${path}/4`)).config).toEqual((await get(`${path}/1`)).config)
    await becomes(await shop.send(), 'delivered')
    expect(shop.requests()[0]?.headers['x-version']).toBe('one')
  })

  test('a rotated secret signs with the former one while the grace lasts', async () => {
    const former = 'whsec_dGhlIGZvcm1lciBzZWNyZXQgb2YgaXQ='
    const shop = await add('rotating', { signingSecret: former })
    expect(shop.created).toMatchObject({
      signingSecret: former,
      signingSecretHint: 'aXQ=',
    })
    const rotate = async (gracePeriodMinutes: number) => {
      const answer = await post(`/endpoints/${shop.id}/rotate-secret`, { gracePeriodMinutes })
      expect(answer.status).toBe(200)
      return answer.body
    }
    const signaturesBy = async (...secrets: string[]) => {
      await eventually(async () => {
        const id = await shop.send({ a: 'ü' })
        await becomes(id, 'delivered')
        const { headers = {}, rawBody } = shop.requests().at(-1) ?? {}
        const at = Number(headers['webhook-timestamp'])
        const signed = secrets.map((secret) => standardSignature(secret, id, at, String(rawBody)))
        expect(headers['webhook-signature']).toBe(signed.join(' '))
        const own = serviceSignature(secrets[0] ?? '', at, String(rawBody))
        expect(headers['x-service-signature']).toBe(own)
      }, WAIT)
    }
    await signaturesBy(former)
    const rotated = await rotate(5)
    const minutes = (Date.parse(rotated.previousValidUntil) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(4)
    expect(minutes).toBeLessThan(5.1)
    await signaturesBy(rotated.signingSecret, former)
    expect((await shop.read()).signingSecretHint).toBe(rotated.signingSecret.slice(-4))
    await signaturesBy((await rotate(0)).signingSecret)
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

  test('a bulk replay queues again what is dead, and tells how far it is', async () => {
    const since = new Date(Date.now() - 60_000).toISOString()
    const shop = await add('replayed', { maxRetries: 1, circuitThreshold: 0 })
    await becomes(await shop.send({ n: -1 }), 'delivered')
    shop.answer(() => ({ status: 500 }))
    const ids = await Promise.all(upTo(40).map((n) => shop.send({ n })))
    for (const id of ids) await becomes(id, 'dead')
    shop.answer(() => ({ status: 200 }))
    const begun = await post(`/endpoints/${shop.id}/replay`, { since, status: ['dead'] })
    expect(begun).toMatchObject({ status: 202, body: { total: 40, endpointId: shop.id } })
    const seen: number[] = [begun.body.done]
    const ended = await eventually(async () => {
      const replay = await get(`/replays/${begun.body.id}`)
      seen.push(replay.done)
      expect(replay.status).toBe('done')
      return replay
    }, WAIT)
    expect(ended).toMatchObject({ total: 40, done: 40, endedAt: expect.any(String) })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    for (const id of ids) expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 1 })
    expect(shop.requests()).toHaveLength(1 + 40 + 40)
  })

  test('who asks for service.* is told of an endpoint that is disabled; who asks for * is not', async () => {
    const told = await add('told', { eventTypes: ['service.*'] })
    const everything = await add('everything', { eventTypes: ['*'] })
    const shop = await add('leaving')
    shop.answer(() => ({ status: 410 }))
    await becomes(await shop.send({ n: 1 }), 'dead')
    const event = await eventually(() => {
      const of = ({ headers }: { headers: object }) =>
        Object.entries(headers).some(([, value]) => value === 'service.endpoint.disabled')
      const found = told.requests().find(of)
      expect(found).toBeDefined()
      return found
    }, WAIT)
    expect(JSON.parse(String(event?.rawBody))).toMatchObject({
      endpointId: shop.id,
      status: 'disabled',
      reason: 'answered 410 Gone',
    })
    const { endpoints } = await explain(String(event?.headers['x-service-event-id']))
    const why = endpoints.find((one: { endpointId: string }) => one.endpointId === everything.id)
    expect(why).toMatchObject({ matched: false, reason: 'type' })
    await eventually(() => expect(everything.came('n')).toContain(1), WAIT)
    for (const { headers } of everything.requests()) {
      expect(headers['x-service-event-type']).not.toMatch(/^service\./)
    }
    for (const { id } of [told, everything]) {
      await posthorn.call('DELETE', `/api/v1/endpoints/${id}`)
    }
  })
})
