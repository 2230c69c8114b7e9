/** Requests as platforms send them, up to the events that they become, over a real Postgres. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import {
  fromGitHub,
  fromStripe,
  hex,
  MAX_BYTES,
  SECRET,
  startTestInbound,
  type TestInbound,
} from './inbound.fixture.ts'

let inbound: TestInbound
beforeAll(async () => {
  inbound = await startTestInbound()
})
afterAll(async () => {
  await inbound.close()
  expect(inbound.failures).toEqual([])
})

const PUSH = '{"ref": "refs/heads/main",  "n": 1.0}'
const REFUSED = { status: 401, body: { error: expect.any(String), code: 'SIGNATURE_INVALID' } }

test('a signed request becomes an event by its type, as it was sent, and is announced', async () => {
  const source = await inbound.addSource({ source: 'github' })
  const answer = await source.send(fromGitHub(PUSH, { 'X-Request-Id': 'r-1', 'X-Extra': 'e' }))
  const [event, ...more] = await source.events()
  expect(more).toEqual([])
  expect(answer).toMatchObject({ status: 202, body: { id: event.id } })
  expect(answer.headers).toMatchObject({
    'x-request-id': 'r-1',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(event).toMatchObject({
    project_id: source.projectId,
    event_type: 'push',
    payload: PUSH,
    trace_id: 'r-1',
    endpoint_ids: null,
    fanned_out_at: null,
  })
  const headers = JSON.parse(event.headers)
  expect(headers).toMatchObject({ 'X-Inbound-X-Github-Event': 'push', 'X-Inbound-X-Extra': 'e' })
  expect(JSON.stringify(headers)).not.toContain('sha256=')
  expect(inbound.announced).toContainEqual({
    topic: 'event.accepted',
    message: { v: 1, tenantId: source.tenantId, eventId: event.id },
  })
})

test('a repeat is answered with the id of the first event and makes no second one', async () => {
  const source = await inbound.addSource({ source: 'github' })
  const sent = fromGitHub(PUSH)
  const answers = await Promise.all([1, 2, 3, 4].map(() => source.send(sent)))
  const [event, ...more] = await source.events()
  expect(more).toEqual([])
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 202, body: { id: event.id } })
  expect(event.idempotency_key).toBe(
    `inbound:${source.id}:${(sent.headers as Record<string, string>)['X-GitHub-Delivery']}`,
  )
  // The same delivery of another subscription is another event.
  const other = await inbound.addSource({ source: 'github' })
  expect((await other.send(sent)).body.id).not.toBe(event.id)
})

test.each([
  ['a forged signature', () => fromGitHub(PUSH, {}, 'another'), 'github', 'wrong_signature'],
  [
    'a changed body',
    () => ({ ...fromGitHub(PUSH), body: `${PUSH} ` }),
    'github',
    'wrong_signature',
  ],
  ['no signature', () => ({ body: PUSH }), 'github', 'no_signature'],
  [
    'half a signature',
    () => fromGitHub(PUSH, { 'X-Hub-Signature-256': 'sha256=ab!' }),
    'github',
    'malformed_signature',
  ],
  ['an old request', () => fromStripe(PUSH, 1_700_000_000), 'stripe', 'too_old'],
  [
    'a wrong token',
    () => ({ body: PUSH, headers: { 'X-Gitlab-Token': 'another' } }),
    'gitlab',
    'wrong_credentials',
  ],
])('%s is refused without a reason, which is on the record', async (_, sent, platform, reason) => {
  const source = await inbound.addSource({ source: platform })
  const before = inbound.counted[reason] ?? 0
  const answer = await source.send(sent())
  expect(answer).toMatchObject(REFUSED)
  expect(Object.keys(answer.body)).toEqual(['error', 'code'])
  expect(answer.text).not.toContain(reason)
  expect(inbound.counted[reason]).toBe(before + 1)
  await eventually(async () =>
    expect(await source.row()).toMatchObject({
      received_count: '0',
      rejected_count: '1',
      last_rejection_reason: reason,
      last_rejected_at: expect.any(Date),
      last_received_at: null,
    }),
  )
  expect(await source.events()).toEqual([])
})

test('an unknown and an inactive endpoint answer 404, other methods get 405', async () => {
  const inactive = await inbound.addSource({ source: 'github', status: 'inactive' })
  const active = await inbound.addSource({ source: 'github' })
  const unknown = { status: 404, body: { code: 'NOT_FOUND' } }
  expect(await inactive.send(fromGitHub(PUSH))).toMatchObject(unknown)
  for (const path of [
    '/inbound/nobody-has-this',
    '/inbound/short',
    '/inbound/',
    '/inbound/a/b',
    '/inbound/%00%00%00%00%00%00',
  ])
    expect({ path, ...(await inbound.send(path, fromGitHub(PUSH))) }).toMatchObject(unknown)
  expect((await inbound.send('/inbound/nobody-has-this', { method: 'GET' })).status).toBe(404)
  expect(await active.send({ method: 'GET' })).toMatchObject({
    status: 405,
    headers: { allow: expect.stringContaining('POST') },
    body: { code: 'METHOD_NOT_ALLOWED' },
  })
  expect((await active.send({ ...fromGitHub(PUSH), query: '/?x=1' })).status).toBe(202)
  expect(await active.send({ method: 'HEAD' })).toMatchObject({ status: 405, text: '' })
  expect(await active.send({ method: 'PUT', body: PUSH })).toMatchObject({
    status: 405,
    headers: { allow: expect.stringContaining('POST') },
  })
})

test('a body over the limit gets 413, with a length announced or without, and one at the limit is accepted', async () => {
  const source = await inbound.addSource({ source: 'github' })
  const fits = JSON.stringify({ pad: 'x'.repeat(MAX_BYTES - 10) })
  expect(fits.length).toBe(MAX_BYTES)
  expect((await source.send(fromGitHub(fits))).status).toBe(202)
  const large = { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } }
  expect(await source.send(fromGitHub(`${fits} `))).toMatchObject(large)
  const inChunks = fromGitHub(`${fits} `, { 'Transfer-Encoding': 'chunked' })
  expect(await source.send(inChunks)).toMatchObject(large)
  await eventually(async () =>
    expect(await source.row()).toMatchObject({ last_rejection_reason: 'too_large' }),
  )
})

describe('bodies', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const multipart = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'
  test.each<[string, string | Buffer, Record<string, string>, string]>([
    ['an object', PUSH, {}, PUSH],
    ['a list', '[1, 2.0]', {}, '{"data":[1, 2.0]}'],
    ['a number', '1.50', {}, '{"data":1.50}'],
    ['a form', 'a=1&b=x+y&b=%C3%A9', form, '{"a":"1","b":["x y","é"]}'],
    ['a form of one JSON', `payload=${encodeURIComponent(PUSH)}`, form, PUSH],
    [
      'a multipart form',
      multipart,
      { 'Content-Type': 'multipart/form-data; boundary=b' },
      '{"a":"1"}',
    ],
    ['text', 'hello', { 'Content-Type': 'text/plain' }, '{"text":"hello"}'],
    ['nothing', '', {}, '{"text":""}'],
    ['XML', '<a/>', { 'Content-Type': 'application/xml' }, '{"text":"<a/>"}'],
    [
      'bytes',
      Buffer.from([0xff, 0x00, 0x01]),
      { 'Content-Type': 'image/png' },
      '{"base64":"/wAB","contentType":"image/png"}',
    ],
    [
      'text with a NUL',
      'a\0b',
      { 'Content-Type': 'text/plain' },
      '{"base64":"YQBi","contentType":"text/plain"}',
    ],
  ])('%s', async (_, body, headers, payload) => {
    const source = await inbound.addSource({ source: 'github' })
    expect(await source.send(fromGitHub(body, headers))).toMatchObject({ status: 202 })
    expect(await source.events()).toMatchObject([{ payload }])
  })
})

test('the type comes from the mapping, else from the preset, else from the platform’s name', async () => {
  const typeOf = async (fields: object, sent = fromGitHub(PUSH)) => {
    const source = await inbound.addSource({ source: 'github', ...fields })
    await source.send(sent)
    return (await source.events())[0].event_type
  }
  expect(await typeOf({ eventTypeMapping: '$.ref' })).toBe('refs/heads/main')
  expect(
    await typeOf({ eventTypeMapping: '$.headers.X-Other' }, fromGitHub(PUSH, { 'X-Other': 'o k' })),
  ).toBe('o_k')
  expect(await typeOf({ eventTypeMapping: '$.nothing' })).toBe('github.event')
  expect(
    await typeOf({ source: 'stripe' }, fromStripe('{"id":"evt_1","type":"charge.paid"}')),
  ).toBe('charge.paid')
})

test('the event carries the destinations of its endpoint', async () => {
  const destinationIds = [newId(), newId()]
  const source = await inbound.addSource({ source: 'github', destinationIds })
  await source.send(fromGitHub(PUSH))
  await source.send(fromGitHub(PUSH))
  expect(await source.events()).toMatchObject([
    { endpoint_ids: destinationIds },
    { endpoint_ids: destinationIds },
  ])
})

describe('a script', () => {
  test('changes payload and headers, and sees the type', async () => {
    const transformation = `function transform(event) {
      return { payload: { type: event.eventType, ref: event.payload.ref }, headers: { 'X-Mine': 'm' } }
    }`
    const source = await inbound.addSource({ source: 'github', transformation })
    expect((await source.send(fromGitHub(PUSH))).status).toBe(202)
    expect(await source.events()).toMatchObject([
      {
        event_type: 'push',
        payload: '{"type":"push","ref":"refs/heads/main"}',
        headers: '{"X-Mine":"m"}',
      },
    ])
  })

  test('that returns null drops it: 202, and no event', async () => {
    const transformation = 'function transform() { return null }'
    const source = await inbound.addSource({ source: 'github', transformation })
    expect(await source.send(fromGitHub(PUSH))).toMatchObject({ status: 202, body: { id: null } })
    expect(await source.events()).toEqual([])
    await eventually(async () => expect(await source.row()).toMatchObject({ received_count: '1' }))
  })

  test('that fails makes it 503, so that the platform repeats; after its repair the repeat is accepted', async () => {
    const transformation = 'function transform(event) { return { payload: event.a.b } }'
    const source = await inbound.addSource({ source: 'github', transformation })
    const sent = fromGitHub(PUSH)
    const refused = await source.send(sent)
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await eventually(async () =>
      expect(await source.row()).toMatchObject({
        last_rejection_reason: 'transformation_failed',
      }),
    )
    await inbound.pool.query(
      'UPDATE inbound_endpoints SET transformation = NULL, updated_at = now() WHERE id = $1',
      [source.id],
    )
    inbound.announceChange(source.tenantId)
    await eventually(async () => expect((await source.send(sent)).status).toBe(202))
    expect(await source.events()).toHaveLength(1)
  })
})

test('while a secret is rotated both are accepted, and others are not', async () => {
  const source = await inbound.addSource({
    source: 'github',
    config: { secret: ['the-new-one', SECRET] },
  })
  expect((await source.send(fromGitHub(PUSH, {}, 'the-new-one'))).status).toBe(202)
  expect((await source.send(fromGitHub(PUSH, {}, SECRET))).status).toBe(202)
  expect(await source.send(fromGitHub(PUSH, {}, 'a third'))).toMatchObject(REFUSED)
})

test('the signed handshake of a platform is echoed, makes no event, and only when it is signed', async () => {
  const source = await inbound.addSource({ source: 'slack' })
  const body = '{"type":"url_verification","challenge":"c-1"}'
  const at = String(Math.floor(Date.now() / 1_000))
  const signed = (secret: string) => ({
    body,
    headers: {
      'X-Slack-Request-Timestamp': at,
      'X-Slack-Signature': `v0=${hex(`v0:${at}:${body}`, secret)}`,
    },
  })
  expect(await source.send(signed(SECRET))).toMatchObject({ status: 200, text: 'c-1' })
  expect(await source.send(signed('other'))).toMatchObject(REFUSED)
  expect(await source.events()).toEqual([])
  expect(inbound.counted['handshake']).toBeGreaterThan(0)
})

test('a change is in force at once where it is announced, and within a second elsewhere', async () => {
  const source = await inbound.addSource({ source: 'github' })
  const status = async (): Promise<number> => (await source.send(fromGitHub(PUSH))).status
  expect(await status()).toBe(202)
  const set = async (to: string) =>
    await inbound.pool.query('UPDATE inbound_endpoints SET status = $2 WHERE id = $1', [
      source.id,
      to,
    ])
  await set('inactive')
  await eventually(async () => expect(await status()).toBe(404))
  await set('active')
  inbound.announceChange(source.tenantId)
  await eventually(async () => expect(await status()).toBe(202))
})

test('without Postgres nothing is accepted but answered 503, and a repeat afterwards is accepted', async () => {
  const source = await inbound.addSource({ source: 'github' })
  const sent = fromGitHub(PUSH)
  inbound.line.cut()
  try {
    const refused = await source.send(sent)
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  } finally {
    inbound.line.repair()
  }
  await eventually(async () => expect((await source.send(sent)).status).toBe(202))
  expect(await source.events()).toHaveLength(1)
})

test('all requests of each endpoint are counted', async () => {
  const [one, other] = [
    await inbound.addSource({ source: 'github' }),
    await inbound.addSource({ source: 'stripe' }),
  ]
  const repeated = fromGitHub(PUSH)
  const forged = fromGitHub(PUSH, {}, 'x')
  await Promise.all([
    ...Array.from({ length: 20 }, () => one.send(fromGitHub(PUSH))),
    ...[1, 2].map(() => one.send(repeated)),
    ...Array.from({ length: 5 }, () => one.send(forged)),
    other.send(fromStripe('{"id":"evt_2","type":"a"}')),
  ])
  await eventually(async () => {
    expect(await one.row()).toMatchObject({ received_count: '22', rejected_count: '5' })
    expect(await other.row()).toMatchObject({ received_count: '1', rejected_count: '0' })
  })
})

test('what was counted in the last second is written when the service stops', async () => {
  const own = await startTestInbound()
  try {
    const source = await own.addSource({ source: 'github' })
    await Promise.all(Array.from({ length: 5 }, () => source.send(fromGitHub(PUSH))))
    await own.stop()
    expect(await source.row()).toMatchObject({ received_count: '5' })
  } finally {
    await own.close()
  }
})
