/**
 * Whatever is sent to an inbound endpoint of any platform is refused, never answered with a 500,
 * and never becomes an event.
 */
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Preset } from '@posthorn/inbound/preset'
import { headersUsed } from '@posthorn/inbound/incoming-event'
import { loadPresets } from '@posthorn/inbound/presets'
import fc from 'fast-check'
import {
  fromGitHub,
  MAX_BYTES,
  type TestRequest,
  startTestInbound,
  type TestInbound,
  type TestSource,
} from './inbound.fixture.ts'

const RUNS = 600
/**
 * The number of requests in a flood and beside it: enough for a median that one slow answer does
 * not move.
 */
const REQUESTS = 200

let inbound: TestInbound
const sources: { preset: Preset; source: TestSource; config: Record<string, string> }[] = []

beforeAll(async () => {
  inbound = await startTestInbound()
  // Where nothing can be checked there is nothing to forge.
  const checked = (await loadPresets()).filter(({ verify }) => verify.kind !== 'none')
  for (const preset of checked) {
    const config = Object.fromEntries(
      preset.configKeys.map(({ name, values }) => [name, values?.[0] ?? `secret ${name}`]),
    )
    const source = await inbound.addSource({ source: preset.source, config })
    sources.push({ preset, source, config })
  }
}, 60_000)
afterAll(async () => await inbound.close())

/** Any bytes that a header may hold, beyond ASCII too. */
const headerText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
  .map((text) => text.replaceAll('\x7f', '').trim())
const json = fc.json({ maxDepth: 4 })
const base64 = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))
const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = fc
  .record({
    alg: fc.constantFrom('none', 'None', 'HS256', 'HS512', 'RS256', 'ES256', 'EdDSA', ''),
    kid: fc.oneof(fc.string(), fc.constant('../../etc/passwd')),
    claims: fc.dictionary(
      fc.constantFrom('exp', 'iat', 'iss', 'aud', 'sub'),
      fc.oneof(fc.integer(), fc.string()),
    ),
    // Signed with texts that everybody may know, as if they were the secret.
    key: fc.constantFrom('', 'secret', '-----BEGIN PUBLIC KEY-----'),
  })
  .map(({ alg, kid, claims, key }) => {
    const signed = `${segment({ alg, kid, typ: 'JWT' })}.${segment(claims)}`
    const signature =
      alg.toLowerCase() === 'none'
        ? ''
        : createHmac('sha256', key).update(signed).digest('base64url')
    return `${signed}.${signature}`
  })
const signature = fc.oneof(
  headerText,
  base64,
  base64.map((text) => text.slice(0, -1)),
  token,
  token.map((text) => `Bearer ${text}`),
  fc.constantFrom(
    'sha256=',
    'v1,',
    't=,v1=',
    't=9999999999999999999,v1=00',
    'Basic ',
    'Basic Og==',
    'Bearer',
    // A dozen headers, each sent twice, stay below the 16 KiB that a request's head may have.
    ','.repeat(500),
  ),
  fc.integer({ min: -1, max: 4_000_000_000 }).map((at) => `t=${at},v1=${'0'.repeat(64)}`),
)
const body = fc.oneof(
  json,
  token,
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    '',
    '{',
    '[',
    '{"a":',
    '"\\ud800"',
    '{"__proto__":{"x":1}}',
    '['.repeat(30_000),
    '{"a":'.repeat(10_000),
    'a='.repeat(20_000),
    `{"a":"${'x'.repeat(MAX_BYTES)}"}`,
  ),
)
const type = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'text/plain; charset=utf-16',
  'application/jwt',
  '',
)
const request = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'HEAD'),
  query: fc.oneof(
    fc.constant(''),
    fc.constantFrom('?', '?token=', '?token=x&token=y', '?%zz', '?a[b]=c&%00', '?challenge=x'),
  ),
  signatures: fc.array(signature, { minLength: 1, maxLength: 4 }),
  isRepeated: fc.boolean(),
  type,
  body,
})

test(`of ${RUNS} requests to any of the platforms none is taken in and none breaks it`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), request, async (which, sent) => {
      const { preset, source } = sources[which % sources.length] as (typeof sources)[number]
      const names = [
        ...headersUsed(preset.verify),
        'Authorization',
        'webhook-id',
        'webhook-timestamp',
      ]
      const headers: Record<string, string | string[]> = { 'Content-Type': sent.type }
      names.forEach((name, n) => {
        const value = sent.signatures[n % sent.signatures.length] as string
        headers[name] = sent.isRepeated ? [value, value] : value
      })
      const answer = await source.send({ ...sent, headers })
      // 200, 202 and 204 answer a handshake, which any stranger may ask for.
      expect([200, 202, 204, 400, 401, 403, 405, 413, 503]).toContain(answer.status)
      if (answer.status >= 400 && answer.status !== 403 && sent.method !== 'HEAD')
        expect(answer.body).toEqual({ error: expect.any(String), code: expect.any(String) })
    }),
    { numRuns: RUNS },
  )
  const { rows } = await inbound.pool.query('SELECT count(*)::int AS events FROM events')
  expect(rows).toEqual([{ events: 0 }])
  expect(inbound.failures).toEqual([])
}, 120_000)

test('a flood of forged requests at one endpoint keeps no other waiting for all of it', async () => {
  const flooded = await inbound.addSource({ source: 'github' })
  const other = await inbound.addSource({ source: 'github' })
  const forged: TestRequest = fromGitHub(JSON.stringify({ pad: 'x'.repeat(1_000) }), {}, 'forged')
  let answered = 0
  let isOver = false
  const flood = Promise.all(
    Array.from({ length: 16 }, async () => {
      while (!isOver) {
        expect((await flooded.send(forged)).status).toBe(401)
        answered += 1
      }
    }),
  )
  // Its requests go one after the other: between two of its answers come those of the sixteen, not
  // an endless queue.
  const between: number[] = []
  for (let n = 0; n < REQUESTS; n += 1) {
    const before = answered
    expect((await other.send(fromGitHub('{"n":1}'))).status).toBe(202)
    between.push(answered - before)
  }
  isOver = true
  await flood
  between.sort((a, b) => a - b)
  expect(answered).toBeGreaterThan(REQUESTS)
  expect(between[REQUESTS >> 1]).toBeLessThan(16 * 8)
  expect(await other.events()).toHaveLength(REQUESTS)
  expect(await flooded.events()).toEqual([])
}, 60_000)

test('bodies that the senders of one endpoint hold back leave capacity for another’s', async () => {
  const slow = await inbound.addSource({ source: 'github' })
  const other = await inbound.addSource({ source: 'github' })
  const sockets = Array.from({ length: 300 }, () => connect(inbound.port, '127.0.0.1'))
  const told = `POST /inbound/${slow.pathSuffix} HTTP/1.1\r\nHost: h\r\nContent-Length: ${MAX_BYTES}\r\n\r\n{`
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.write(told)
  }
  try {
    // A source that is over its share is told to try again, and the other source keeps its own
    // share.
    const refused = await Promise.any(
      sockets.map(
        (socket) =>
          new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
      ),
    )
    expect(refused).toMatch(/^HTTP\/1.1 503 /)
    expect((await other.send(fromGitHub('{"n":1}'))).status).toBe(202)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
