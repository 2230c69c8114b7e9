/**
 * Inbound from the outside, in both modes: from a platform's signed request to those who get its
 * event.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const SECRET = 'the-secret-of-this-hook'
/** Several times what anything here takes alone: the machine may be busy with other tests. */
const WAIT = { timeoutMs: 45_000 }

describe.each(MODES)('inbound (%s)', (mode) => {
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

  async function create(path: string, body: object) {
    const created = await posthorn.call('POST', `/api/v1/${path}`, body)
    expect({ status: created.status, text: created.text }).toMatchObject({ status: 201 })
    return created.body
  }

  async function push(url: string, body: string, secret = SECRET, delivery = randomUUID()) {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'GitHub-Hookshot/044aadd',
        'X-GitHub-Event': 'push',
        'X-GitHub-Delivery': delivery,
        'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: JSON.parse(text) }
  }

  test('a signed push goes by its type, through filters, to a push and a poll endpoint, and is in the list', async () => {
    const filter = [{ field: '$.ref', operator: 'eq', value: 'refs/heads/main' }]
    await create('endpoints', { url: `${receiver.url}/main`, eventTypes: ['push'], filter })
    const polled = await create('endpoints', {
      url: 'poll://ci',
      eventTypes: ['push'],
      deliveryMode: 'poll',
      filter,
    })
    await create('endpoints', { url: `${receiver.url}/other`, eventTypes: ['issues'] })
    const hook = await create('inbound-endpoints', {
      name: 'Repository',
      source: 'github',
      sourceConfig: { secret: SECRET },
    })
    expect(new URL(hook.url).origin).toBe(new URL(posthorn.url).origin)

    const body = '{"ref": "refs/heads/main",  "size": 1.0}'
    const taken = await push(hook.url, body)
    expect(taken).toMatchObject({ status: 202, body: { id: expect.any(String) } })
    expect(taken.headers.get('x-request-id')).toBeTruthy()
    const branch = await push(hook.url, '{"ref":"refs/heads/branch"}')
    expect(branch.status).toBe(202)

    const [delivered] = await receiver.waitFor(1, WAIT)
    expect(delivered?.path).toBe('/main')
    expect(delivered?.rawBody.toString()).toBe(body)
    expect(delivered?.headers).toMatchObject({ 'x-inbound-x-github-event': 'push' })
    expect(Object.keys(delivered?.headers ?? {}).join()).not.toContain('x-hub-signature')
    const fetched = await posthorn.call('GET', `/api/v1/poll?endpoint_id=${polled.id}&timeout=20`)
    expect(fetched.body.events).toMatchObject([{ id: taken.body.id, eventType: 'push' }])
    const listed = await posthorn.call('GET', '/api/v1/events')
    const ids = listed.body.data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining([taken.body.id, branch.body.id]))
    // The branch is nobody's, and the sender was told all the same that it was taken.
    await eventually(
      async () => expect((await posthorn.event(branch.body.id)).status).toBe('delivered'),
      WAIT,
    )
    expect(receiver.requests).toHaveLength(1)
  }, 90_000)

  test('with destinations it goes there and nowhere else, whatever they subscribe to, and explain says so', async () => {
    const named = await create('endpoints', {
      url: `${receiver.url}/named`,
      eventTypes: ['nothing'],
    })
    const subscribed = await create('endpoints', {
      url: `${receiver.url}/all`,
      eventTypes: ['push'],
    })
    const hook = await create('inbound-endpoints', {
      name: 'Direct',
      source: 'github',
      sourceConfig: { secret: SECRET },
      destinationIds: [named.id],
    })
    const { body } = await push(hook.url, '{"ref":"refs/heads/main"}')
    await eventually(
      async () => expect((await posthorn.event(body.id)).status).toBe('delivered'),
      WAIT,
    )
    expect(receiver.requests.filter(({ path }) => path === '/named')).toHaveLength(1)
    expect(receiver.requests.filter(({ path }) => path === '/all')).toEqual([])
    const { endpoints } = (await posthorn.call('GET', `/api/v1/events/${body.id}/explain`)).body
    const told = new Map(endpoints.map((one: { endpointId: string }) => [one.endpointId, one]))
    expect(told.get(named.id)).toMatchObject({ matched: true, reason: null })
    expect(told.get(subscribed.id)).toMatchObject({ matched: false, reason: 'destination' })
  }, 90_000)

  test('a repeat is one event, a forgery none, and the record tells of both', async () => {
    const hook = await create('inbound-endpoints', {
      name: 'Counted',
      source: 'github',
      sourceConfig: { secret: SECRET },
      pathSuffix: `counted-${randomUUID()}`,
    })
    const delivery = randomUUID()
    const first = await push(hook.url, '{"n":1}', SECRET, delivery)
    const again = await push(hook.url, '{"n":1}', SECRET, delivery)
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.body.id).toBe(first.body.id)
    const forged = await push(hook.url, '{"n":2}', 'another')
    expect(forged).toMatchObject({ status: 401, body: { code: 'SIGNATURE_INVALID' } })
    await eventually(async () => {
      const { body } = await posthorn.call('GET', `/api/v1/inbound-endpoints/${hook.id}`)
      expect(body).toMatchObject({
        receivedCount: 2,
        rejectedCount: 1,
        lastReceivedAt: expect.any(String),
        lastRejection: { at: expect.any(String), reason: 'wrong_signature' },
      })
    }, WAIT)
    await posthorn.call('PATCH', `/api/v1/inbound-endpoints/${hook.id}`, { status: 'inactive' })
    await eventually(async () => expect((await push(hook.url, '{"n":3}')).status).toBe(404), WAIT)
    expect((await fetch(`${posthorn.url}/inbound/nobody-has-this`)).status).toBe(404)
  }, 90_000)
})
