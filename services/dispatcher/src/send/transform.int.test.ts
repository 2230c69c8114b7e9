/**
 * What an endpoint's transformation makes of its deliveries, from the message to the endpoint and
 * the attempt.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { verifyServiceSignature } from '@posthorn/domain/signature'
import { createSandbox, type RunResult, type Sandbox } from '@posthorn/sandbox/sandbox'
import { findBroken } from '@posthorn/store/invariants.fixture'
import { replayEvents } from '@posthorn/store/pipeline/replay-events'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { createRig, GLOBAL_SECRET, type Rig } from '../dispatcher.fixture.ts'

let rig: Rig
let receiver: Receiver
let sandbox: Sandbox
/** Events that a script was run for. */
let ran: string[]
/** What the sandbox answers instead of running anything. */
let instead: RunResult | undefined

beforeAll(async () => {
  rig = await createRig()
  sandbox = createSandbox(
    { brand: 'Service', maxPayloadBytes: 256 * 1024, workers: 1 },
    { onReplaced: () => {} },
  )
  await rig.start({
    sandbox: {
      run: async (request) => {
        ran.push(request.event.id)
        return instead ?? (await sandbox.run(request))
      },
    },
  })
})
afterAll(async () => {
  await rig.close()
  await sandbox.close()
})
beforeEach(async () => {
  receiver = await startReceiver()
  ran = []
  instead = undefined
})
afterEach(async () => await receiver.close())

async function addEndpoint(body: string, more: object = {}): Promise<string> {
  const transformation = `function transform(event) { ${body} }`
  return await rig.addEndpoint({ url: `${receiver.url}/hook`, transformation, ...more })
}

async function ends(deliveryId: string, state: string): Promise<void> {
  await eventually(async () => expect((await rig.states())[deliveryId]).toBe(state))
}

describe('a transformed delivery', () => {
  test('is sent, signed and kept as the script made it', async () => {
    const endpointId = await addEndpoint(
      `return {
        payload: { text: event.eventType + ' ' + event.payload.n, at: event.createdAt, id: event.id },
        headers: { 'X-Made': event.headers['X-Mine'] + '!' },
      }`,
    )
    const message = await rig.deliver({
      endpointId,
      payload: '{"n": 1.50}',
      headers: '{"X-Mine":"1"}',
    })
    const [request] = await receiver.waitFor(1)
    const at = new Date(message.createdAt).toISOString()
    const body = JSON.stringify({ text: 'order.paid 1.5', at, id: message.eventId })
    expect(request!.rawBody.toString()).toBe(body)
    const { headers } = request!
    expect(headers['x-made']).toBe('1!')
    expect(headers).not.toHaveProperty('x-mine')
    const signature = headers['x-service-signature'] as string
    const timestamp = Number(headers['x-service-timestamp'])
    expect(verifyServiceSignature(signature, GLOBAL_SECRET, timestamp, body)).toBe(true)
    await ends(message.deliveryId, 'delivered')
    const [attempt] = await rig.attempts(message.deliveryId)
    expect(attempt).toMatchObject({ status_code: 200, error: '', request_body: body })
  })

  test('has the sender’s bytes when nothing was changed, and they are not kept twice', async () => {
    const endpointId = await addEndpoint('return { payload: event.payload }')
    const payload = JSON.stringify({ text: 'x'.repeat(100_000), n: 1 }).replace('1', '1.0')
    const message = await rig.deliver({ endpointId, payload })
    expect(message.payload).toBeNull()
    const [request] = await receiver.waitFor(1)
    expect(request!.rawBody.toString()).toBe(payload)
    await ends(message.deliveryId, 'delivered')
    expect((await rig.attempts(message.deliveryId))[0]).toMatchObject({ request_body: null })
  })

  test('that is dropped ends well, with an attempt to be read back and no request', async () => {
    const endpointId = await addEndpoint('return event.payload.n > 1 ? {} : null')
    const message = await rig.deliver({ endpointId })
    await ends(message.deliveryId, 'delivered')
    const attempts = await rig.attempts(message.deliveryId)
    expect(attempts).toHaveLength(1)
    expect(attempts[0]).toMatchObject({
      status_code: 0,
      error: '',
      url: `${receiver.url}/hook`,
      response_body: '',
      request_body: null,
      next_attempt_at: null,
    })
    expect(receiver.requests).toHaveLength(0)
    const { rows } = await rig.pool.query(
      'SELECT delivered_at IS NOT NULL AS delivered FROM events WHERE id = $1',
      [message.eventId],
    )
    expect(rows).toEqual([{ delivered: true }])
  })

  test('without a transformation never gets near a script', async () => {
    const endpointId = await rig.addEndpoint({ url: receiver.url })
    const messages = [
      await rig.deliver({ endpointId }),
      await rig.deliver({ destination: receiver.url }),
    ]
    for (const { deliveryId } of messages) await ends(deliveryId, 'delivered')
    expect(ran).toEqual([])
  })
})

describe('a script that fails', () => {
  test('fails the attempt, is tried again, and delivered by a replay after it was repaired', async () => {
    const endpointId = await addEndpoint('return { payload: { n: event.payload.a.b } }', {
      maxRetries: 2,
    })
    const message = await rig.deliver({ endpointId })
    await ends(message.deliveryId, 'waiting')
    const [first] = await rig.attempts(message.deliveryId)
    expect(first).toMatchObject({ status_code: 0, response_headers: null, request_body: null })
    expect(first!.error).toBe(
      "transformation: TypeError: cannot read property 'b' of undefined (line 1)",
    )
    expect(first!.wait_ms).toBeGreaterThan(0)
    await rig.hasten()
    await ends(message.deliveryId, 'dead')
    expect(receiver.requests).toHaveLength(0)

    await rig.pool.query(
      `UPDATE endpoints SET version = 2,
       config = jsonb_set(config::jsonb, '{transformation}', $2) WHERE id = $1`,
      [endpointId, JSON.stringify('function transform() { return { payload: { mended: true } } }')],
    )
    await rig.setStatus(endpointId, 'active')
    const { work } = await replayEvents(rig.pool, rig.tenantId, [message.eventId])
    rig.announce(work)
    await ends(message.deliveryId, 'delivered')
    expect(receiver.requests.map(({ rawBody }) => rawBody.toString())).toEqual(['{"mended":true}'])
    const attempts = await rig.attempts(message.deliveryId)
    expect(attempts.map(({ attempt_number: number, error }) => [number, error === ''])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
  })

  test('or loops costs its own deliveries an attempt each, and nobody else anything', async () => {
    const loops = await addEndpoint('for (;;);')
    const good = await addEndpoint('return { payload: { ok: true } }')
    const bad = await rig.accept(Array.from({ length: 20 }, () => ({ endpointId: loops })))
    const others = await rig.accept([
      ...Array.from({ length: 60 }, () => ({ endpointId: good })),
      ...Array.from({ length: 20 }, () => ({ destination: `${receiver.url}/direct` })),
    ])
    rig.announce([...bad, ...others])
    const states = async (messages: typeof bad): Promise<string[]> => {
      const all = await rig.states()
      return [...new Set(messages.map(({ deliveryId }) => all[deliveryId] ?? ''))]
    }
    await eventually(async () => expect(await states(others)).toEqual(['delivered']))
    // Their 2 s of looping are not over.
    expect(await states(bad)).not.toEqual(['waiting'])
    await eventually(async () => expect(await states(bad)).toEqual(['waiting']))
    for (const { deliveryId } of bad) {
      const attempts = await rig.attempts(deliveryId)
      expect(attempts.map(({ error }) => error)).toEqual([
        'transformation: it ran for more than 100 ms',
      ])
    }
    expect(await findBroken(rig.pool)).toEqual([])
  })

  test('is not to blame when the sandbox is: its delivery comes again, no attempt counted', async () => {
    instead = { outcome: 'unavailable', detail: 'no threads' }
    const endpointId = await addEndpoint('return {}')
    const message = await rig.deliver({ endpointId })
    await eventually(() =>
      expect(rig.lines).toContainEqual({
        name: 'transformation.not-run',
        fields: expect.objectContaining({ deliveryId: message.deliveryId, detail: 'no threads' }),
      }),
    )
    expect((await rig.states())[message.deliveryId]).toBe('queued')
    instead = undefined
    await rig.pool.query('UPDATE due SET due_at = now() WHERE id = $1', [message.deliveryId])
    await rig.sweep()
    await ends(message.deliveryId, 'delivered')
    expect(await rig.attempts(message.deliveryId)).toHaveLength(1)
  })
})
