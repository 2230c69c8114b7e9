/**
 * Every place where a tenant can write down a URL that we will call, with every destination that is
 * refused: nothing is saved, nothing is sent, and the answer says why.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  BLOCKED_ADDRESSES,
  BLOCKED_NAMES,
  BLOCKED_SPELLINGS,
  NO_DESTINATIONS,
} from '@posthorn/egress/refused-destinations.fixture'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { type Answer, type Posthorn, startPosthorn } from './posthorn.ts'

const PUBLIC = 'https://example.com/hook'
const blocked = [
  ...[...BLOCKED_ADDRESSES, ...BLOCKED_NAMES].map((host) => `http://${host}:8443/hook`),
  ...BLOCKED_SPELLINGS,
]

describe('closed doors', () => {
  let posthorn: Posthorn
  let inside: Receiver
  let endpointId = ''
  let storageId = ''
  let eventId = ''

  beforeAll(async () => {
    inside = await startReceiver()
    // Production exempts no address, not even the built-in receiver's.
    posthorn = await startPosthorn('standalone', { EGRESS_ALLOW_CIDRS: '', NODE_ENV: 'production' })
    const types = { eventTypes: ['a'] }
    const made = await posthorn.call('POST', '/api/v1/endpoints', { url: PUBLIC, ...types })
    endpointId = made.body.id
    const stored = await posthorn.call('POST', '/api/v1/endpoints', storage(PUBLIC))
    storageId = stored.body.id
    const event = await posthorn.send({ destination: PUBLIC, payload: {}, delaySeconds: 1_000 })
    eventId = event.id
    expect([made.status, stored.status]).toEqual([201, 201])
  }, 150_000)

  afterAll(async () => {
    await posthorn.stop()
    await inside.close()
  }, 60_000)

  function storage(endpoint: string): object {
    const storageConfig = { type: 's3', bucket: 'b', region: 'r', endpoint }
    return { url: 'storage://x', eventTypes: ['a'], deliveryMode: 'storage', storageConfig }
  }

  function post(path: string, body: object): Promise<Answer> {
    return posthorn.call('POST', path, body, { 'X-Idempotency-Key': randomUUID() })
  }

  const DOORS: Readonly<Record<string, (url: string) => Promise<Answer>>> = {
    'a direct event': (url) => post('/api/v1/events', { destination: url, payload: {} }),
    'an event of a batch': (url) =>
      post('/api/v1/events/batch', {
        events: [{ idempotencyKey: randomUUID(), destination: url, payload: {} }],
      }),
    'an edited event': (url) =>
      posthorn.call('PATCH', `/api/v1/events/${eventId}`, { destination: url }),
    'a new endpoint': (url) => post('/api/v1/endpoints', { url, eventTypes: ['a'] }),
    'a changed endpoint': (url) =>
      posthorn.call('PATCH', `/api/v1/endpoints/${endpointId}`, { url }),
    'a new storage endpoint': (url) => post('/api/v1/endpoints', storage(url)),
    'a changed storage endpoint': (url) =>
      posthorn.call('PATCH', `/api/v1/endpoints/${storageId}`, {
        storageConfig: { type: 's3', bucket: 'b', region: 'r', endpoint: url },
      }),
  }

  test.each(Object.keys(DOORS))(
    '%s is refused whatever is blocked',
    async (door) => {
      const open = DOORS[door] as (url: string) => Promise<Answer>
      const own = [`http://127.0.0.1:${inside.port}/`, `${posthorn.url}/receiver/demo`]
      for (const url of [...blocked, ...own]) {
        const { status, body } = await open(url)
        // A space or a control character is refused by the field before the host is looked at.
        const code = /[\s\p{Cc}]/u.test(url) ? expect.any(String) : 'DESTINATION_BLOCKED'
        expect({ url, status, code: body.code }).toEqual({ url, status: 400, code })
      }
    },
    60_000,
  )

  test.each(Object.keys(DOORS))(
    '%s is refused what is no destination',
    async (door) => {
      const open = DOORS[door] as (url: string) => Promise<Answer>
      for (const url of NO_DESTINATIONS) {
        const { status } = await open(url)
        expect({ url, status }).toEqual({ url, status: 400 })
      }
    },
    60_000,
  )

  test('and nothing of it was kept or sent', async () => {
    const { body } = await posthorn.call('GET', '/api/v1/endpoints?limit=100')
    expect(body.data).toHaveLength(2)
    expect((await posthorn.call('GET', `/api/v1/endpoints/${endpointId}`)).body).toMatchObject({
      url: PUBLIC,
      version: 1,
    })
    expect((await posthorn.event(eventId)).destination).toBe(PUBLIC)
    expect(inside.requests).toEqual([])
  })
})
