/** The life of a delivery as its endpoint and its attempts show it. */
import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { verifyServiceSignature } from '@posthorn/domain/signature'
import { sealedAt } from '@posthorn/store/seal'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { createRig, GLOBAL_SECRET, type Rig } from '../dispatcher.fixture.ts'

let rig: Rig
let receiver: Receiver
beforeAll(async () => {
  rig = await createRig()
  await rig.start()
})
afterAll(async () => await rig.close())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => await receiver.close())

async function ends(deliveryId: string, state: string): Promise<void> {
  await eventually(async () => expect((await rig.states())[deliveryId]).toBe(state))
}

function standard(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

test('User-Agent and Content-Type are the event’s, or its endpoint’s, or ours', async () => {
  const mine = { 'user-agent': 'shop/1', 'Content-Type': 'application/cloudevents+json' }
  const endpointId = await rig.addEndpoint({ url: receiver.url, customHeaders: mine })
  await rig.deliver({ endpointId, headers: '{"USER-AGENT":"order/2"}' })
  await receiver.waitFor(1)
  await rig.deliver({ endpointId })
  await receiver.waitFor(2)
  await rig.deliver({ destination: receiver.url, headers: '{"content-type":"text/plain"}' })
  await receiver.waitFor(3)
  const sent = receiver.requests.map(({ headers }) => [
    headers['user-agent'],
    headers['content-type'],
  ])
  expect(sent).toEqual([
    ['order/2', 'application/cloudevents+json'],
    ['shop/1', 'application/cloudevents+json'],
    ['Posthorn/1.2.3', 'text/plain'],
  ])
})

describe('a delivery that succeeds', () => {
  test('carries its body as it was written, its ids, and both signatures', async () => {
    receiver.answer({ status: 202, body: 'thanks' })
    const payload = '{"b":1.0, "a":"ü"}'
    const message = await rig.deliver({
      destination: `${receiver.url}/hook?x=1`,
      payload,
      headers: '{"X-Mine":"1"}',
    })
    const [request] = await receiver.waitFor(1)
    const { headers } = request!
    const timestamp = headers['x-service-timestamp'] as string
    expect(request).toMatchObject({ method: 'POST', path: '/hook?x=1' })
    expect(request!.rawBody.toString()).toBe(payload)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Posthorn/1.2.3',
      'x-mine': '1',
      'x-service-event-id': message.eventId,
      'x-service-delivery-id': message.deliveryId,
      'x-service-attempt': '1',
      'x-service-trace-id': message.traceId,
      'webhook-id': message.eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': standard(GLOBAL_SECRET, message.eventId, timestamp, payload),
    })
    expect(Math.abs(Number(timestamp) * 1_000 - Date.now())).toBeLessThan(5_000)
    const signature = headers['x-service-signature'] as string
    expect(verifyServiceSignature(signature, GLOBAL_SECRET, Number(timestamp), payload)).toBe(true)

    await ends(message.deliveryId, 'delivered')
    const [attempt] = await rig.attempts(message.deliveryId)
    expect(attempt).toMatchObject({
      status_code: 202,
      error: '',
      response_body: 'thanks',
      response_headers: null,
    })
    expect(attempt!.overhead_us).toBeGreaterThan(0)
    await eventually(() => expect(rig.lines.map(({ name }) => name)).toContain('attempt.finished'))
    expect((await rig.metrics.render()).body).toMatch(
      /posthorn_deliveries_total\{outcome="delivered".*\} \d/,
    )
  })

  test('is signed with the endpoint’s secret, and with the former one while its grace lasts', async () => {
    const [secret, former] = [
      'whsec_bmV3LXNlY3JldC1uZXctc2VjcmV0',
      'whsec_b2xkLXNlY3JldC1vbGQtc2VjcmV0',
    ]
    const endpointId = await rig.addEndpoint(
      {
        url: receiver.url,
        customHeaders: { 'content-type': 'application/vnd.test+json', 'X-Both': 'endpoint' },
      },
      { secret },
    )
    await rig.pool.query(
      `UPDATE endpoints SET previous_signing_secret = $2,
         previous_valid_until = now() + interval '1 hour' WHERE id = $1`,
      [
        endpointId,
        rig.seal.seal(
          former,
          sealedAt('endpoints.previous_signing_secret', rig.tenantId, endpointId),
        ),
      ],
    )
    const message = await rig.deliver({
      endpointId,
      headers: '{"x-both":"event","Webhook-Id":"forged"}',
    })
    const [request] = await receiver.waitFor(1)
    const { headers } = request!
    const timestamp = headers['webhook-timestamp'] as string
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.test+json',
      'x-both': 'event',
      'x-service-event-type': 'order.paid',
      'webhook-id': message.eventId,
      'webhook-signature': [secret, former]
        .map((one) => standard(one, message.eventId, timestamp, '{"n":1}'))
        .join(' '),
    })
    const signature = headers['x-service-signature'] as string
    expect(verifyServiceSignature(signature, secret, Number(timestamp), '{"n":1}')).toBe(true)
    await ends(message.deliveryId, 'delivered')
  })

  test('is not signed any more with a former secret whose grace is over', async () => {
    const former = 'whsec_b2xkLXNlY3JldC1vbGQtc2VjcmV0'
    const secret = 'whsec_bmV3LXNlY3JldC1uZXctc2VjcmV0'
    const endpointId = await rig.addEndpoint({ url: receiver.url }, { secret })
    const grace = async (endsIn: string): Promise<void> => {
      for (const table of ['endpoints', 'tenants'] as const) {
        const rowId = table === 'tenants' ? rig.tenantId : endpointId
        const place = sealedAt(`${table}.previous_signing_secret`, rig.tenantId, rowId)
        await rig.pool.query(
          `UPDATE ${table} SET previous_signing_secret = $2,
             previous_valid_until = now() + $3::interval WHERE id = $1`,
          [rowId, rig.seal.seal(former, place), endsIn],
        )
      }
      await rig.setStatus(endpointId, 'active')
    }
    const signatures = async (): Promise<string[][]> => {
      const before = receiver.requests.length
      await rig.deliver({ endpointId })
      await receiver.waitFor(before + 1)
      await rig.deliver({ destination: receiver.url })
      await receiver.waitFor(before + 2)
      return receiver.requests
        .slice(before)
        .map(({ headers }) => (headers['webhook-signature'] as string).split(' '))
    }
    await grace('1 hour')
    expect((await signatures()).map((all) => all.length)).toEqual([2, 2])
    // It ends while the dispatcher has it in memory, and nothing tells it so.
    await grace('1 second')
    await eventually(async () =>
      expect((await signatures()).map((all) => all.length)).toEqual([1, 1]),
    )
    const last = receiver.requests.at(-2)!.headers
    const [id, timestamp] = [last['webhook-id'] as string, last['webhook-timestamp'] as string]
    expect(last['webhook-signature']).toBe(standard(secret, id, timestamp, '{"n":1}'))
    await rig.pool.query('UPDATE tenants SET previous_signing_secret = NULL')
  })

  test('reads a payload that was too large to travel', async () => {
    const payload = JSON.stringify({ text: 'x'.repeat(100_000) })
    const message = await rig.deliver({ destination: receiver.url, payload })
    expect(message.payload).toBeNull()
    const [request] = await receiver.waitFor(1)
    expect(request!.rawBody.toString()).toBe(payload)
    await ends(message.deliveryId, 'delivered')
  })

  test('makes one attempt of three announcements', async () => {
    const [message] = await rig.accept([{ destination: receiver.url }])
    const next = await rig.accept([{ destination: receiver.url }])
    rig.announce([message!, message!, message!, ...next, message!])
    await ends(message!.deliveryId, 'delivered')
    await ends(next[0]!.deliveryId, 'delivered')
    rig.announce([message!])
    const after = await rig.deliver({ destination: receiver.url })
    await ends(after.deliveryId, 'delivered')
    expect(receiver.requests).toHaveLength(3)
    expect(await rig.attempts(message!.deliveryId)).toHaveLength(1)
  })

  test('is asked for in Postgres when its token has expired, and dropped when moved on', async () => {
    const [late, lost] = await rig.accept([
      { destination: receiver.url },
      { destination: `${receiver.url}/lost` },
    ])
    const expired = late!.token - 60_000_000
    await rig.pool.query('UPDATE due SET due_at = from_micros($2) WHERE id = $1', [
      late!.deliveryId,
      expired,
    ])
    rig.announce([
      { ...lost!, token: lost!.token - 60_000_000 },
      { ...late!, token: expired },
    ])
    await ends(late!.deliveryId, 'delivered')
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/'])
    expect((await rig.states())[lost!.deliveryId]).toBe('queued')
  })
})

describe('a delivery that fails', () => {
  test('is tried again, and delivered at the third attempt', async () => {
    receiver.answer(() => ({
      status: receiver.requests.length < 3 ? 500 : 200,
      headers: { 'x-why': 'tired' },
    }))
    const message = await rig.deliver({ destination: receiver.url })
    await ends(message.deliveryId, 'waiting')
    const [first] = await rig.attempts(message.deliveryId)
    expect(first).toMatchObject({ status_code: 500, error: 'http_5xx: status 500' })
    expect(JSON.parse(first!.response_headers!)).toMatchObject({ 'x-why': 'tired' })
    expect(first!.wait_ms).toBeGreaterThan(0)
    expect(first!.wait_ms).toBeLessThanOrEqual(1_000)
    await eventually(async () => {
      await rig.hasten()
      expect((await rig.states())[message.deliveryId]).toBe('delivered')
    })
    expect(receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual([
      '1',
      '2',
      '3',
    ])
    expect((await rig.attempts(message.deliveryId)).map((one) => one.status_code)).toEqual([
      500, 500, 200,
    ])
  })

  test('is dead when its attempts are used up', async () => {
    receiver.answer({ status: 404 })
    const message = await rig.deliver({ destination: receiver.url, maxAttempts: 2 })
    await eventually(async () => {
      await rig.hasten()
      expect((await rig.states())[message.deliveryId]).toBe('dead')
    })
    expect(await rig.attempts(message.deliveryId)).toHaveLength(2)
    const { rows } = await rig.pool.query(
      'SELECT dead_reason, dead_count FROM events WHERE id = $1',
      [message.eventId],
    )
    expect(rows).toEqual([{ dead_reason: 'attempts used up', dead_count: 1 }])
  })

  test('waits for as long as Retry-After asks', async () => {
    receiver.answer({ status: 429, headers: { 'retry-after': '90' } })
    const message = await rig.deliver({ destination: receiver.url })
    await ends(message.deliveryId, 'waiting')
    const [attempt] = await rig.attempts(message.deliveryId)
    expect(attempt!.wait_ms).toBeGreaterThan(85_000)
    expect(attempt!.wait_ms).toBeLessThan(100_000)
  })

  test('is shown as delivering while it lasts, and times out', async () => {
    receiver.answer({ delayMs: 5_000 })
    const endpointId = await rig.addEndpoint({ url: receiver.url, timeoutMs: 900 })
    const message = await rig.deliver({ endpointId })
    await ends(message.deliveryId, 'delivering')
    await ends(message.deliveryId, 'waiting')
    const [attempt] = await rig.attempts(message.deliveryId)
    expect(attempt).toMatchObject({ status_code: 0, error: expect.stringMatching(/^timeout: /) })
    const { rows } = await rig.pool.query(
      'SELECT delivering_count, waiting_count FROM events WHERE id = $1',
      [message.eventId],
    )
    expect(rows).toEqual([{ delivering_count: 0, waiting_count: 1 }])
  })

  test('is dead at once where its address is blocked', async () => {
    const message = await rig.deliver({ destination: 'http://169.254.169.254/latest' })
    await ends(message.deliveryId, 'dead')
    const [attempt] = await rig.attempts(message.deliveryId)
    expect(attempt!.error).toMatch(/^blocked: /)
  })

  test('says so when its secret can not be opened', async () => {
    const endpointId = await rig.addEndpoint({ url: receiver.url })
    await rig.pool.query(`UPDATE endpoints SET signing_secret = 's1:00000000:AAAA' WHERE id = $1`, [
      endpointId,
    ])
    const message = await rig.deliver({ endpointId })
    await ends(message.deliveryId, 'waiting')
    expect((await rig.attempts(message.deliveryId))[0]!.error).toMatch(
      /^internal: the signing secret/,
    )
    expect(receiver.requests).toHaveLength(0)
  })

  test('with 410 disables its endpoint, whose other deliveries wait parked', async () => {
    receiver.answer({ status: 410 })
    const endpointId = await rig.addEndpoint({ url: receiver.url })
    const message = await rig.deliver({ endpointId })
    await ends(message.deliveryId, 'dead')
    await eventually(async () => {
      const { rows } = await rig.pool.query('SELECT status FROM endpoints WHERE id = $1', [
        endpointId,
      ])
      expect(rows).toEqual([{ status: 'disabled' }])
    })
    await eventually(() => expect(rig.lines.map(({ name }) => name)).toContain('endpoint.disabled'))
    const next = await rig.deliver({ endpointId })
    await eventually(async () => {
      const { rows } = await rig.pool.query('SELECT delivery_id FROM parked WHERE target_id = $1', [
        endpointId,
      ])
      expect(rows).toEqual([{ delivery_id: next.deliveryId }])
    })
    expect(receiver.requests).toHaveLength(1)
    await rig.pool.query('DELETE FROM parked')
  })
})
