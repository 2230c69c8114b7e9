/**
 * From an event over an endpoint that fails to a rule that fires and the message that arrives, in
 * both modes; and the live stats, whose key stands in a URL and in nothing that the product says.
 */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { serviceSignature } from '@posthorn/domain/signature'
import { eventually } from '@posthorn/testing/eventually'
import { type ReceivedRequest, type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { WebSocket } from 'undici'
import {
  startMailServer,
  type TestMailServer,
} from '../../services/alerting/src/targets/mail-server.fixture.ts'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

jest.setTimeout(120_000)

/** Folded every 5 s and evaluated every 10 s; the machine may be busy with other tests. */
const WAIT = { timeoutMs: 90_000 }
const ONE_TRY = { retryBackoffMs: 3_600_000, retryBackoffMax: 3_600_000 }
/** What mail servers listen at; the address is the test's own. */
const MAIL = { host: `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`, port: 2525 }
const SECRET = 'the-secret-of-the-webhook'

describe.each(MODES)('alerting (%s)', (mode) => {
  let posthorn: SharedProduct
  let receiver: Receiver
  let mail: TestMailServer

  beforeAll(async () => {
    receiver = await startReceiver()
    mail = await startMailServer(undefined, MAIL)
    posthorn = await joinProduct(mode)
  }, 150_000)

  afterAll(async () => {
    await posthorn.leave()
    await mail.close()
    await receiver.close()
  }, 60_000)

  async function make(path: string, body: object): Promise<{ id: string }> {
    const made = await posthorn.call('POST', `/api/v1${path}`, body)
    expect([made.status, made.text]).toEqual([201, expect.any(String)])
    return made.body as { id: string }
  }

  const at = (path: string): ReceivedRequest[] =>
    receiver.requests.filter((request) => request.path === path)

  async function arrives(path: string, count = 1): Promise<ReceivedRequest[]> {
    return await eventually(() => {
      const found = at(path)
      if (found.length < count) throw new Error(`${found.length} came to ${path}`)
      return found
    }, WAIT)
  }

  const bodyOf = (request: ReceivedRequest | undefined): unknown =>
    JSON.parse(String(request?.rawBody))

  test('an event that fails makes rules fire, and each target gets its message', async () => {
    receiver.answer(({ path }) => ({
      status: path === '/fails' ? 500 : 200,
      body: path === '/fails' ? '' : 'ok',
    }))
    const url = `${receiver.url}/fails`
    const endpoint = await make('/endpoints', { url, eventTypes: ['order.paid'], ...ONE_TRY })
    await make('/connectors', {
      name: 'chat',
      type: 'slack',
      config: { webhookUrl: `${receiver.url}/slack` },
      template: { text: '<https://x|{{.rule}}>: {{.message}}' },
    })
    await make('/connectors', {
      name: 'events',
      type: 'webhook',
      config: { url: `${receiver.url}/events`, secret: SECRET },
      eventTypes: ['order.*'],
    })
    const { host: smtpHost, port: smtpPort } = MAIL
    const config = { smtpHost, smtpPort, fromEmail: 'a@example.com', to: ['ops@example.com'] }
    await make('/connectors', { name: 'mail', type: 'email', config })
    const condition = { metric: 'error_count', operator: 'gte', value: 1, window: '5m' }
    const rule = { condition, endpointId: endpoint.id }
    const action = { type: 'webhook', webhookUrl: `${receiver.url}/hook` }
    const own = await make('/alerting/rules', { ...rule, name: 'By webhook', action })
    await make('/alerting/rules', { ...rule, name: 'By <chat>', connectorName: 'chat' })
    await make('/alert-rules', {
      name: 'By mail',
      condition: 'error_count >= 1 over 5m',
      connectorName: 'mail',
      endpointId: endpoint.id,
    })

    const payload = '{"b": 1.0, "a": "<ü>"}'
    await posthorn.send({ eventType: 'order.paid', payload: JSON.parse(payload) })

    const message = `error_count at ${url} is 1, >= 1 over 5m`
    const [hook] = await arrives('/hook')
    expect(bodyOf(hook)).toEqual({
      ruleId: own.id,
      rule: 'By webhook',
      status: 'firing',
      metric: 'error_count',
      operator: 'gte',
      value: 1,
      threshold: 1,
      window: '5m',
      endpoint: url,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      message,
    })
    const [chat] = await arrives('/slack')
    const text = `<https://x|By &lt;chat&gt;>: ${message.replace('>', '&gt;')}`
    expect(bodyOf(chat)).toEqual({
      attachments: [
        {
          color: '#a30200',
          title: '[FIRING] By &lt;chat&gt;',
          text,
          fallback: `[FIRING] By &lt;chat&gt;: ${text}`,
          mrkdwn_in: ['text'],
        },
      ],
    })
    await eventually(() => expect(mail.received).toHaveLength(1), WAIT)
    const [received] = mail.received
    expect(received?.recipients).toEqual(['ops@example.com'])
    expect(received?.mail.subject).toBe('[FIRING] By mail')
    expect(received?.mail.text?.trim()).toBe(message)

    // The connector that subscribes to the event has it as it was delivered.
    const [event] = await arrives('/events')
    const [delivered] = at('/fails')
    expect(String(event?.rawBody)).toBe(String(delivered?.rawBody))
    const { headers, rawBody } = event as ReceivedRequest
    const timestamp = Number(headers['x-service-timestamp'])
    expect(headers['x-service-signature']).toBe(
      serviceSignature(SECRET, timestamp, String(rawBody)),
    )

    // Whoever disables a rule that fires ends what was told of it, where it was told.
    const off = await posthorn.call('POST', `/api/v1/alerting/rules/${own.id}/disable`)
    expect([off.status, off.body.state]).toEqual([200, 'ok'])
    const [, end] = await arrives('/hook', 2)
    expect(bodyOf(end)).toMatchObject({
      status: 'resolved',
      value: null,
      message: `error_count at ${url} is no longer >= 1 over 5m: there is no data any more`,
    })
    await eventually(async () => {
      const history = await posthorn.call('GET', `/api/v1/alerting/history?ruleId=${own.id}`)
      expect(history.body.data).toMatchObject([
        { status: 'resolved', delivery: 'sent', attempts: 1 },
        { status: 'firing', value: 1, delivery: 'sent', attempts: 1 },
      ])
    }, WAIT)
    expect(await posthorn.output()).not.toContain(SECRET)
  })

  test('live stats go to whoever has a key, which no log has, and end with it', async () => {
    const made = await make('/api-keys', { name: 'Stats', scopes: ['*'] })
    const { id, key } = made as { id: string; key: string }
    const base = posthorn.url.replace('http', 'ws')
    const refused = `ph_live_${'x'.repeat(40)}${randomInt(1_000_000)}`
    const frames: { queued: number }[] = []
    const socket = new WebSocket(`${base}/api/v1/stats/ws?key=${key}`)
    socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data))))
    const closed = new Promise<number>((resolve) =>
      socket.addEventListener('close', ({ code }) => resolve(code)),
    )
    const stranger = new WebSocket(`${base}/api/v1/stats/ws?key=${refused}`)
    await new Promise((resolve) => stranger.addEventListener('close', resolve))
    await eventually(() => expect(frames.length).toBeGreaterThan(1), WAIT)
    expect(frames[0]).toMatchObject({ queued: expect.any(Number), at: expect.any(String) })
    await posthorn.call('GET', `/api/v1/stats/ws?key=${key}`)
    const revoked = await posthorn.call('DELETE', `/api/v1/api-keys/${id}`)
    expect(revoked.status).toBeLessThan(300)
    expect(await closed).toBe(4401)
    const output = await posthorn.output()
    expect(output).not.toContain(key)
    expect(output).not.toContain(refused)
  })
})
