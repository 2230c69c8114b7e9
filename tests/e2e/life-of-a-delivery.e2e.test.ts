/** The life of a delivery, told from the outside, in both modes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { serviceSignature, standardSignature } from '@posthorn/domain/signature'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

describe.each(MODES)('the life of a delivery (%s)', (mode) => {
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

  test('accepted, failed twice, dead, edited, replayed, delivered', async () => {
    const secret = 'a secret of the endpoint 1234'.replaceAll(' ', '-')
    receiver.answer({ status: 500, body: 'not today' })

    // An endpoint that tries three times, a tenth of a second apart.
    const created = await posthorn.call('POST', '/api/v1/endpoints', {
      url: `${receiver.url}/orders?shop=1`,
      eventTypes: ['order.*'],
      maxRetries: 3,
      retryBackoffMs: 100,
      retryBackoffMult: 1,
      customHeaders: { 'X-Shop': 'one' },
      signingSecret: secret,
    })
    expect(created.status).toBe(201)
    const endpointId = created.body.id as string

    // Accepted: durable, queued, with no attempt made yet.
    const text =
      '{"eventType":"order.paid","payload":{"b":1.10,"a":12345678901234567890,"t":"\\u00e9"}}'
    const accepted = await posthorn.call('POST', '/api/v1/events', text, {
      'X-Idempotency-Key': 'order-1',
      'X-Request-Id': 'trace-1',
    })
    expect(accepted.status).toBe(201)
    expect(accepted.body).toMatchObject({
      status: 'queued',
      attempts: 0,
      eventType: 'order.paid',
      destination: null,
      idempotencyKey: 'order-1',
      maxAttempts: 5,
      priority: 5,
    })
    const eventId = accepted.body.id as string

    // The same key again is the same event.
    const again = await posthorn.call('POST', '/api/v1/events', text, {
      'X-Idempotency-Key': 'order-1',
    })
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ code: 'CONFLICT', details: { eventId } })

    // Failed, tried again with back-off, and dead when the attempts are used up.
    await eventually(async () => expect((await posthorn.event(eventId)).status).toBe('dead'), {
      timeoutMs: 30_000,
    })
    const dead = await posthorn.event(eventId)
    expect(dead.attempts).toBe(3)
    expect(
      dead.deliveryAttempts.map((attempt: { attemptNumber: number; statusCode: number }) => [
        attempt.attemptNumber,
        attempt.statusCode,
      ]),
    ).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
    ])
    const tried = await posthorn.call('GET', `/api/v1/events/${eventId}/deliveries`)
    expect(tried.body.count).toBe(3)
    expect(tried.body.deliveries[0]).toMatchObject({
      eventId,
      endpointId,
      error: 'http_5xx: status 500',
      responseBody: 'not today',
      statusCode: 500,
    })
    expect(tried.body.deliveries[0].nextAttemptAt).not.toBeNull()
    expect(tried.body.deliveries[2].nextAttemptAt).toBeNull()

    // What arrived is what was sent, to the byte, and signed in both ways.
    const first = receiver.requests[0]
    const body = first?.rawBody.toString() ?? ''
    expect(body).toBe('{"b":1.10,"a":12345678901234567890,"t":"\\u00e9"}')
    const headers = first?.headers ?? {}
    const timestamp = Number(headers['x-service-timestamp'])
    expect(headers['x-service-signature']).toBe(serviceSignature(secret, timestamp, body))
    expect(headers).toMatchObject({
      'x-service-event-id': eventId,
      'x-service-event-type': 'order.paid',
      'x-service-attempt': '1',
      'x-service-trace-id': 'trace-1',
      'x-shop': 'one',
      'content-type': 'application/json',
    })
    expect(headers['user-agent']).toMatch(/^Posthorn\/\d/)

    // Nothing to replay in what is delivered or edit in what is not failed: the dead event can be
    // both.
    receiver.answer({ status: 200, body: 'thank you' })
    const edited = await posthorn.call('PATCH', `/api/v1/events/${eventId}`, {
      payload: { corrected: true },
      replay: true,
    })
    expect(edited.status).toBe(200)
    expect(edited.body).toMatchObject({ id: eventId, attempts: 0 })

    await eventually(async () => expect((await posthorn.event(eventId)).status).toBe('delivered'), {
      timeoutMs: 30_000,
    })
    const delivered = await posthorn.event(eventId)
    expect(delivered.deliveredAt).not.toBeNull()
    expect(delivered.attempts).toBe(1)
    expect(delivered.deliveryAttempts.at(-1)).toMatchObject({ attemptNumber: 4, statusCode: 200 })
    expect(receiver.requests.at(-1)?.rawBody.toString()).toBe('{"corrected":true}')

    // And it can be found again.
    const list = await posthorn.call('GET', '/api/v1/events?status=delivered')
    expect(list.body.data.map((event: { id: string }) => event.id)).toContain(eventId)
    const refused = await posthorn.call('POST', `/api/v1/events/${eventId}/replay`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
  }, 90_000)

  test('a direct event goes out at once, signed with the global secret', async () => {
    receiver.answer({ status: 204 })
    const { body: global } = await posthorn.call('GET', '/api/v1/signing-secret')
    const { id } = await posthorn.send({
      destination: `${receiver.url}/direct`,
      payload: { hello: 'world' },
    })
    await eventually(async () => expect((await posthorn.event(id)).status).toBe('delivered'))
    const request = receiver.requests.find((one) => one.headers['x-service-event-id'] === id)
    const headers = request?.headers ?? {}
    const body = request?.rawBody.toString() ?? ''
    const timestamp = Number(headers['webhook-timestamp'])
    expect(headers['x-service-signature']).toBe(
      serviceSignature(global.signingSecret, timestamp, body),
    )
    expect(headers['webhook-signature']).toBe(
      standardSignature(global.signingSecret, String(headers['webhook-id']), timestamp, body),
    )
  }, 60_000)

  test('410 Gone ends a delivery at once and disables its endpoint; what comes then waits for resume', async () => {
    receiver.answer({ status: 410 })
    const { body: endpoint } = await posthorn.call('POST', '/api/v1/endpoints', {
      url: `${receiver.url}/gone`,
      eventTypes: ['gone.one'],
    })
    const { id } = await posthorn.send({ eventType: 'gone.one', payload: {} })
    await eventually(async () => expect((await posthorn.event(id)).status).toBe('dead'))
    expect((await posthorn.event(id)).deliveryAttempts).toHaveLength(1)
    await eventually(async () => {
      const { body } = await posthorn.call('GET', `/api/v1/endpoints/${endpoint.id}`)
      expect(body.status).toBe('disabled')
    })
    const { id: next } = await posthorn.send({ eventType: 'gone.one', payload: {} })
    receiver.answer({ status: 200 })
    expect((await posthorn.event(next)).status).toBe('queued')
    const resumed = await posthorn.call('POST', `/api/v1/endpoints/${endpoint.id}/resume`)
    expect(resumed.body.status).toBe('active')
    await eventually(async () => expect((await posthorn.event(next)).status).toBe('delivered'), {
      timeoutMs: 20_000,
    })
  }, 60_000)

  test('a deleted endpoint takes its pending deliveries with it', async () => {
    receiver.answer({ status: 503 })
    const { body: endpoint } = await posthorn.call('POST', '/api/v1/endpoints', {
      url: `${receiver.url}/leaving`,
      eventTypes: ['leaving'],
      retryBackoffMs: 3_600_000,
    })
    const { id } = await posthorn.send({ eventType: 'leaving', payload: {} })
    await eventually(async () => expect((await posthorn.event(id)).status).toBe('failed'))
    const deleted = await posthorn.call('DELETE', `/api/v1/endpoints/${endpoint.id}`)
    expect(deleted.status).toBe(204)
    await eventually(
      async () =>
        expect(await posthorn.event(id)).toMatchObject({
          status: 'dead',
          deadReason: 'endpoint deleted',
        }),
      { timeoutMs: 20_000 },
    )
  }, 60_000)
})
