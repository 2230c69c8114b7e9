/** What all routes have in common, shown by the routes of events. */
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { startTestIngest, type Tenant, type TestIngest } from './ingest.fixture.ts'

const EVENT = { destination: 'https://example.com/hook', payload: { n: 1 } }

let ingest: TestIngest
let tenant: Tenant
beforeAll(async () => {
  ingest = await startTestIngest()
  tenant = await ingest.addTenant()
})
afterAll(async () => await ingest.close())
/** Whatever is sent here, none of it causes an internal error. */
afterEach(() => expect(ingest.failures).toEqual([]))

function paths(answer: { body: { details: { path: string }[] } }): string[] {
  return answer.body.details.map(({ path }) => path).sort()
}

describe('paths and methods', () => {
  test.each([
    ['GET', '/nothing', 404, 'NOT_FOUND'],
    ['GET', '/api/v1/Events', 404, 'NOT_FOUND'],
    ['DELETE', '/api/v1/events', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/api/v1/endpoints/x/nothing', 404, 'NOT_FOUND'],
    ['PUT', '/api/v1/endpoints', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/api/v1/events/batch', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/live', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/api/v1/events/not-a-uuid', 404, 'NOT_FOUND'],
    ['GET', `/api/v1/events/${newId()}`, 404, 'NOT_FOUND'],
    ['GET', '/api/v1/events/%00', 404, 'NOT_FOUND'],
    ['GET', '/api/v1/events/%zz', 400, 'BAD_REQUEST'],
    ['GET', '/api/v1/events/%ff', 400, 'BAD_REQUEST'],
    ['GET', '/%c0%af', 404, 'NOT_FOUND'],
  ])('%s %s is %i %s', async (method, path, status, code) => {
    const answer = await tenant.call(method, path)
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.headers.get('allow') === null).toBe(status !== 405)
  })

  test('Allow names the methods of the whole catalog, whichever service has them', async () => {
    const own = await tenant.call('DELETE', '/api/v1/events')
    expect(own.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
    const other = await tenant.call('PUT', `/api/v1/endpoints/${newId()}`)
    expect(other.headers.get('allow')).toBe('GET, HEAD, PATCH, DELETE, OPTIONS')
    const options = await tenant.call('OPTIONS', '/api/v1/events/batch')
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS'])
  })

  test('HEAD is GET without its body, and a slash at the end does not count', async () => {
    const head = await tenant.call('HEAD', '/api/v1/events/')
    expect([head.status, head.text]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
  })

  test('an id is the same in capitals', async () => {
    const { body } = await tenant.post(EVENT)
    const answer = await tenant.call('GET', `/api/v1/events/${body.id.toUpperCase()}`)
    expect([answer.status, answer.body.id]).toEqual([200, body.id])
  })
})

/** A slash at the end makes a request go through Express instead of the fast router. */
describe('a hot route answers the same ahead of Express and behind it', () => {
  const BATCH = { events: [{ ...EVENT, idempotencyKey: 'parity-batch' }] }
  const WITHOUT_KEY = { 'X-API-Key': '' }
  const cases: [string, string, unknown, Record<string, string>, number][] = [
    ['an event', '/api/v1/events', EVENT, {}, 201],
    ['no key', '/api/v1/events', EVENT, WITHOUT_KEY, 401],
    ['an unknown key', '/api/v1/events', EVENT, { 'X-API-Key': 'ph_live_x' }, 401],
    ['an unknown project', '/api/v1/events', EVENT, { 'X-Project-Id': newId() }, 404],
    ['another type', '/api/v1/events', EVENT, { 'Content-Type': 'text/plain' }, 415],
    ['no JSON', '/api/v1/events', '{', {}, 400],
    ['no body', '/api/v1/events', undefined, {}, 400],
    ['unknown fields', '/api/v1/events', { ...EVENT, priority: 11, more: 1 }, {}, 400],
    ['no idempotency key', '/api/v1/events', EVENT, { 'X-Idempotency-Key': '' }, 400],
    ['a blocked one', '/api/v1/events', { ...EVENT, destination: 'http://10.0.0.1' }, {}, 400],
    ['too large', '/api/v1/events', { ...EVENT, payload: { a: 'x'.repeat(400_000) } }, {}, 413],
    ['an empty batch', '/api/v1/events/batch', { events: [] }, {}, 400],
    ['a batch', '/api/v1/events/batch', BATCH, {}, 201],
  ]

  test.each(cases)('%s', async (_name, path, body, headers, status) => {
    const seen: unknown[] = []
    for (const url of [path, `${path}/`]) {
      const given = { 'X-Idempotency-Key': newId(), 'X-Request-Id': 'parity', ...headers }
      const answer = await tenant.call('POST', url, unique(body), given)
      expect(answer.status).toBe(status)
      const names = [...answer.headers.keys()].filter((name) => name !== 'date')
      const values = names.map((name) => [name, answer.headers.get(name)])
      seen.push({ values, body: status === 201 ? Object.keys(answer.body) : answer.body })
    }
    expect(seen[1]).toEqual(seen[0])
    expect(Object.fromEntries((seen[0] as { values: [string, string][] }).values)).toMatchObject({
      'x-request-id': 'parity',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  test('limits, scopes, and what is counted', async () => {
    const limited = await ingest.addTenant({ rateLimit: 1 })
    const reader = await ingest.addTenant({ scopes: ['events:read'] })
    for (const url of ['/api/v1/events', '/api/v1/events/']) {
      const before = ingest.requests.length
      // At a rate of one a second, this many requests at once exceed it on the slowest machine.
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => limited.call('POST', url, EVENT)),
      )
      const last = answers.find(({ status }) => status === 429)
      expect(last?.status).toBe(429)
      expect(last?.headers.get('retry-after')).toBe('1')
      expect(last?.headers.get('x-ratelimit-limit')).toBe('1')
      expect((await reader.call('POST', url, EVENT)).status).toBe(403)
      const counted = ingest.requests.slice(before).map(({ route }) => route)
      expect(counted).toEqual(Array(21).fill('createEvent'))
    }
  })
})

/** The keys of a batch are used up once it is accepted. */
function unique(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body ?? null).replaceAll('parity-batch', newId())) ?? undefined
}

describe('bodies', () => {
  const headers = { 'X-Idempotency-Key': 'never-used' }
  const send = (body: unknown, more: Record<string, string> = {}) =>
    tenant.call('POST', '/api/v1/events', body, { ...headers, ...more })

  test.each([
    ['broken', '{"a":'],
    ['empty', ''],
    ['not an object', '[1]'],
    ['null', 'null'],
    ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['half a surrogate in UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['deeper than any stack', `{"payload":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
    ['deeper than the limit', `{"payload":${'['.repeat(200)}${']'.repeat(200)}}`],
  ])('%s is 400', async (_name, body) => {
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })

  test('none at all is 400', async () => {
    const answer = await tenant.call('POST', '/api/v1/events', undefined, headers)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })

  test.each([
    ['text/plain', undefined, 415],
    ['application/x-www-form-urlencoded', undefined, 415],
    ['application/json', 'gzip', 415],
    ['application/json;charset=utf-8', undefined, 201],
    ['application/cloudevents+json', 'identity', 201],
    ['APPLICATION/JSON', undefined, 201],
  ])('content type %s, encoding %s: %i', async (type, encoding, status) => {
    const more: Record<string, string> = { 'Content-Type': type, 'X-Idempotency-Key': newId() }
    if (encoding !== undefined) more['Content-Encoding'] = encoding
    expect(await send(EVENT, more)).toMatchObject({ status })
  })

  test('a body over the size of the route is 413, with and without Content-Length', async () => {
    const large = JSON.stringify({ ...EVENT, headers: { a: 'x'.repeat(400_000) } })
    expect(await send(large)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    const chunked = await fetch(`http://127.0.0.1:${ingest.port}/api/v1/events`, {
      method: 'POST',
      headers: { 'X-API-Key': tenant.key, 'Content-Type': 'application/json', Connection: 'close' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
    await chunked.text()
  })

  test('each unknown field and wrong type is named, nothing is coerced', async () => {
    const body = { ...EVENT, prioritty: 1, delaySeconds: '5', more: {} }
    expect(paths(await send(body))).toEqual(['delaySeconds', 'more', 'prioritty'])
    expect(paths(await send(`{"payload":{},"eventType":"a","__proto__":{"x":1}}`))).toEqual([
      '__proto__',
    ])
    expect(paths(await send({ ...EVENT, payload: [] }))).toEqual(['payload'])
  })

  test('NUL and half surrogates outside of the payload are 400 with the field', async () => {
    expect(paths(await send(`{"eventType":"a","payload":{},"headers":{"x":"a\\u0000"}}`))).toEqual([
      'headers.x',
    ])
    expect(paths(await send(`{"destination":"https://a.example/\\ud800","payload":{}}`))).toEqual([
      'destination',
    ])
  })

  test('a route without a body ignores one, up to a limit', async () => {
    const path = `/api/v1/events/${newId()}/replay`
    expect(await tenant.call('POST', path, 'whatever')).toMatchObject({ status: 404 })
    expect(await tenant.call('POST', path, 'x'.repeat(1024 * 1024 + 1))).toMatchObject({
      status: 413,
    })
  })
})

describe('queries', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['status=lost', 'status'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=a%00b', 'cursor'],
    ['cursor=', 'cursor'],
  ])('%s is 400 naming %s', async (query, path) => {
    const answer = await tenant.call('GET', `/api/v1/events?${query}`)
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: [{ path }] },
    })
  })

  test('unknown parameters are ignored, whatever their names', async () => {
    const query = 'x=1&__proto__=2&constructor=3&%ff=%fe&a[b]=c'
    expect(await tenant.call('GET', `/api/v1/events?${query}`)).toMatchObject({ status: 200 })
  })
})

describe('answers', () => {
  test('X-Request-Id is kept, or made when it is missing', async () => {
    const ask = (id: string) => tenant.call('GET', '/nothing', undefined, { 'X-Request-Id': id })
    expect((await ask('trace-1')).headers.get('x-request-id')).toBe('trace-1')
    for (const id of ['a b', 'x'.repeat(129), 'é']) {
      expect((await ask(id)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('each is counted by route and status, and has the security headers', async () => {
    ingest.requests.length = 0
    const answer = await tenant.call('GET', '/api/v1/events')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.has('x-powered-by')).toBe(false)
    await tenant.call('GET', '/nothing')
    await eventually(() => ingest.requests.length === 2)
    expect(ingest.requests).toEqual([
      { route: 'listEvents', status: 200 },
      { route: '', status: 404 },
    ])
  })

  test('operations need no key', async () => {
    const call = ingest.callAs('')
    expect((await call('GET', '/live')).status).toBe(200)
    expect((await call('GET', '/ready')).status).toBe(200)
    expect(await call('GET', '/health')).toMatchObject({
      status: 503,
      body: { checks: [{ name: 'postgres', ok: false }] },
    })
    expect((await call('GET', '/metrics')).text).toBe('up 1\n')
    expect((await call('GET', '/openapi.json')).body).toEqual({ openapi: '3.1.0' })
  })

  test('/docs shows the reference from this host alone', async () => {
    const call = ingest.callAs('')
    const page = await call('GET', '/docs')
    expect(page.text).toContain('<title>Posthorn</title>')
    expect(page.text).not.toMatch(/https?:\/\//)
    const assets = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(assets).toHaveLength(3)
    for (const asset of assets) expect((await call('GET', asset)).status).toBe(200)
  })
})

describe('what is no HTTP', () => {
  function sendRaw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(ingest.port, '127.0.0.1', () => socket.end(text))
      let answer = ''
      socket.on('data', (chunk) => (answer += chunk))
      socket.on('end', () => resolve(answer))
      socket.on('error', reject)
    })
  }

  test.each([
    ['nonsense', 'hello\r\n\r\n', 400],
    [
      'headers that never end',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    ['no host', 'GET /api/v1/events HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s is answered with the envelope', async (_name, text, status) => {
    const answer = await sendRaw(text)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toMatchObject({ code: 'BAD_REQUEST' })
  })
})

test('no sender may use the types and keys that are reserved for the service', async () => {
  for (const eventType of ['service.event.dead', 'service.', 'service.anything']) {
    const { destination: _, ...typed } = { ...EVENT, eventType }
    const answer = await tenant.post(typed)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(paths(answer)).toEqual(['eventType'])
  }
  for (const prefix of ['inbound:', 'service.', 'test:']) {
    const key = `${prefix}${newId()}`
    const single = await tenant.post(EVENT, { 'X-Idempotency-Key': key })
    expect(single).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(paths(single)).toEqual(['X-Idempotency-Key'])
    const events = [{ ...EVENT, idempotencyKey: key }]
    const batch = await tenant.call('POST', '/api/v1/events/batch', { events })
    expect(batch).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(paths(batch)).toEqual(['events.0.idempotencyKey'])
  }
  // Reserved only at the beginning of a key.
  const near = await tenant.post(
    { eventType: 'services.up', payload: {} },
    { 'X-Idempotency-Key': `my:test:${newId()}` },
  )
  expect(near.status).toBe(201)
})
