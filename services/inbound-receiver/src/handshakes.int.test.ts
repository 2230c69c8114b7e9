/** Handshakes that do more than echo: an address is fetched, or a secret is learned. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { HandshakeAnswer } from '@posthorn/inbound/verification-result'
import { createVerifier } from '@posthorn/inbound/verifier'
import { sealedAt } from '@posthorn/store/seal'
import { eventually } from '@posthorn/testing/eventually'
import {
  fromGitHub,
  SECRET,
  startTestInbound,
  type TestInbound,
  type TestSource,
} from './inbound.fixture.ts'

let inbound: TestInbound
/** Makes the handshake of a request without a signature give this answer. */
let answer: (header: (name: string) => string | undefined) => HandshakeAnswer | null
const fetched: string[] = []

/** The opened credentials of an inbound endpoint's row. */
function opened({ tenantId, id }: TestSource, credentials: string): Record<string, string> {
  const place = sealedAt('inbound_endpoints.credentials', tenantId, id)
  return JSON.parse(inbound.seal.open(credentials, place))
}

beforeAll(async () => {
  inbound = await startTestInbound()
  const { verify, signedHandshake } = createVerifier({
    fetchText: () => Promise.reject(new Error('not in this test')),
    now: Date.now,
  })
  inbound.verifier.current = {
    verify,
    signedHandshake,
    handshake: (_preset, { headers }) => answer((name) => headers.get(name)?.[0]),
  }
})
afterAll(async () => {
  await inbound.close()
  expect(inbound.failures).toEqual([])
})
beforeEach(() => {
  fetched.length = 0
  inbound.publish.fetchText = async (url) => {
    fetched.push(url.href)
    return 'confirmed'
  }
})

function learning(header: (name: string) => string | undefined): HandshakeAnswer | null {
  const secret = header('x-hook-secret')
  if (secret === undefined) return null
  const headers = { 'X-Hook-Secret': secret }
  return { status: 200, headers, body: '', learned: { secret } }
}

async function shakeHands(source: TestSource, secret: string) {
  return await source.send({ headers: { 'X-Hook-Secret': secret } })
}

test('an address is fetched before the answer, and when it can’t be, the platform is to try again', async () => {
  const confirm = new URL('https://sns.example.com/?confirm=1')
  answer = () => ({ status: 200, headers: {}, body: '', confirm })
  const source = await inbound.addSource({ source: 'github' })
  expect((await source.send({ body: '{}' })).status).toBe(200)
  expect(fetched).toEqual([confirm.href])
  inbound.publish.fetchText = () => Promise.reject(new Error('gone'))
  expect(await source.send({ body: '{}' })).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.any(String) },
  })
  await eventually(async () =>
    expect(await source.row()).toMatchObject({ last_rejection_reason: 'confirmation_failed' }),
  )
  expect(await source.events()).toEqual([])
})

test('a secret is learned once, sealed, and in force for the next request', async () => {
  answer = learning
  const source = await inbound.addSource({ source: 'github', config: {} })
  expect((await source.send(fromGitHub('{}'))).status).toBe(401)
  expect(await shakeHands(source, SECRET)).toMatchObject({
    status: 200,
    headers: { 'x-hook-secret': SECRET },
  })
  const { credentials } = await source.row()
  expect(credentials).not.toContain(SECRET)
  expect(opened(source, credentials)).toEqual({ secret: SECRET })
  expect(inbound.announced).toContainEqual({
    topic: 'config.changed',
    message: { v: 1, tenantId: source.tenantId, what: 'inbound' },
  })
  expect((await source.send(fromGitHub('{}'))).status).toBe(202)
  // The platform asks again: it gets the same answer, and nothing is written.
  expect((await shakeHands(source, SECRET)).status).toBe(200)
  expect((await source.row()).credentials).toBe(credentials)
})

test('another secret is refused by an endpoint that has its own, and nothing of it is stored', async () => {
  answer = learning
  const source = await inbound.addSource({ source: 'github' })
  const { credentials } = await source.row()
  const refused = await shakeHands(source, 'of a stranger')
  expect(refused).toMatchObject({ status: 401, body: { code: 'SIGNATURE_INVALID' } })
  expect(refused.headers['x-hook-secret']).toBeUndefined()
  expect((await source.row()).credentials).toBe(credentials)
  expect((await source.send(fromGitHub('{}', {}, 'of a stranger'))).status).toBe(401)
})

test('of several secrets at once one is learned, and the others are refused', async () => {
  answer = learning
  const source = await inbound.addSource({ source: 'github', config: { other: 'kept' } })
  const secrets = Array.from({ length: 8 }, (_, n) => `secret ${n}`)
  const answers = await Promise.all(secrets.map((secret) => shakeHands(source, secret)))
  const learned = opened(source, (await source.row()).credentials)
  expect(learned).toEqual({ other: 'kept', secret: expect.any(String) })
  const taken = secrets.filter((_, n) => answers[n]?.status === 200)
  expect(taken).toEqual([learned.secret])
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(7)
})

test('an answer’s own headers stand in place of the common ones, once', async () => {
  answer = () => ({
    status: 200,
    headers: { 'x-content-type-options': 'nosniff', 'cache-control': 'private' },
    body: 'hello',
  })
  const source = await inbound.addSource({ source: 'github' })
  const { headers, text } = await source.send({ method: 'GET' })
  expect(text).toBe('hello')
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'private',
    'x-request-id': expect.any(String),
  })
})
