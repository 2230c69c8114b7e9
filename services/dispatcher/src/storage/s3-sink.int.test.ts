/** Objects as a real S3 server takes and refuses them, and where a request may not go at all. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { createServer } from 'node:net'
import { type Egress, createEgress } from '@posthorn/egress/egress'
import type { Lookup } from '@posthorn/egress/resolve-name'
import { freePort } from '@posthorn/local-stores/free-port'
import { startReceiver } from '@posthorn/testing/receiver'
import { makeBucket, type TestBucket } from './s3.fixture.ts'
import type { ResolvedStorage } from './resolve-storage.ts'
import { createSink } from './write-object.ts'
import type { StoredEvent, WriteResult } from './write-result.ts'

const EVENT: StoredEvent = {
  eventId: '01890a5d-ac96-774b-bcce-b302099a8057',
  eventType: 'order.paid',
  createdAt: Date.UTC(2026, 2, 9),
  body: '{"b":1.0, "a":"ü"}',
}
const KEY = 'order.paid/2026/03/09/01890a5d-ac96-774b-bcce-b302099a8057.json'

let bucket: TestBucket
const egresses: Egress[] = []
beforeAll(async () => {
  bucket = await makeBucket()
}, 660_000) // the first time the server is built
afterEach(async () => {
  await Promise.all(egresses.splice(0).map((egress) => egress.close()))
})
afterAll(() => bucket?.close())

interface Over {
  target?: Partial<Extract<ResolvedStorage['target'], { type: 's3' }>>
  credentials?: ReturnType<ResolvedStorage['credentials']>
  storage?: Partial<ResolvedStorage>
  allowCidrs?: string[]
  lookup?: Lookup
}

async function put(over: Over = {}, event: Partial<StoredEvent> = {}): Promise<WriteResult> {
  const egress = createEgress(
    { allowCidrs: over.allowCidrs ?? ['127.0.0.0/8'] },
    over.lookup && { lookup: over.lookup },
  )
  egresses.push(egress)
  const log = { error: () => {} }
  const store = createSink(
    { storageDir: undefined, userAgent: 'Posthorn/1.2.3' },
    { send: egress.send, now: () => performance.now(), log },
  )
  const { bucket: name, endpoint } = bucket
  const storage: ResolvedStorage = {
    key: 'one',
    target: { type: 's3', bucket: name, region: 'us-east-1', endpoint, ...over.target },
    tenantId: 'tenant',
    credentials: () => (over.credentials === undefined ? bucket.credentials : over.credentials),
    timeoutMs: 5_000,
    allowedCidrs: undefined,
    blockedCidrs: undefined,
    ...over.storage,
  }
  return await store(storage, { ...EVENT, ...event })
}

test('an object has the bytes as they were, its type, and whose it is', async () => {
  expect(await put()).toMatchObject({ outcome: 'response', statusCode: 200, body: '' })
  expect(await bucket.get(KEY)).toEqual({
    bytes: EVENT.body,
    contentType: 'application/json',
    metadata: { 'event-id': EVENT.eventId, 'event-type': 'order.paid' },
  })
})

test('a second attempt writes the same object', async () => {
  await put({ target: { prefix: 'twice' } }, { body: '{"n":1}' })
  await put({ target: { prefix: 'twice' } }, { body: '{"n":2}' })
  const keys = (await bucket.keys()).filter((key) => key.startsWith('twice/'))
  expect(keys).toEqual([`twice/${KEY}`])
  expect((await bucket.get(`twice/${KEY}`)).bytes).toBe('{"n":2}')
})

test('words that a URL has to escape arrive as they are', async () => {
  const prefix = "a b/ü'(x)*!+&=%2F"
  expect(await put({ target: { prefix } }, { eventType: 'a:b' })).toMatchObject({ statusCode: 200 })
  const key = `${prefix}/a:b/2026/03/09/${EVENT.eventId}.json`
  expect((await bucket.get(key)).bytes).toBe(EVENT.body)
})

test('a direct event has no type', async () => {
  await put({ target: { prefix: 'none' } }, { eventType: null })
  const { metadata } = await bucket.get(`none/${KEY.replace('order.paid', 'direct')}`)
  expect(metadata).toEqual({ 'event-id': EVENT.eventId })
})

test.each([
  [
    'an unknown key',
    { credentials: { accessKeyId: 'nobody-0000', secretAccessKey: 'x' } },
    /^the credentials are refused \((InvalidAccessKeyId|XAdminUserNotFound), status 40[34]\)$/,
  ],
  [
    'a bucket that is not there',
    { target: { bucket: 'no-such-bucket-here' } },
    /^there is no bucket no-such-bucket-here \(NoSuchBucket, status 404\)$/,
  ],
  [
    'no credentials',
    { credentials: null },
    /^access denied to bucket .+: there are no credentials \(AccessDenied, status 403\)$/,
  ],
] satisfies [string, Over, RegExp][])(
  '%s is refused, and it says so',
  async (_name, over, refusal) => {
    const result = await put(over)
    expect(result).toMatchObject({ outcome: 'response', refusal: expect.stringMatching(refusal) })
    expect(JSON.stringify(result)).not.toContain('nobody-0000')
  },
)

test('a wrong secret is refused, and its key is not told in full', async () => {
  const { accessKeyId } = bucket.credentials
  const result = await put({ credentials: { accessKeyId, secretAccessKey: 'wrong' } })
  expect(result).toMatchObject({
    statusCode: 403,
    refusal: 'the credentials are refused (SignatureDoesNotMatch, status 403)',
  })
  expect(JSON.stringify(result)).not.toContain(accessKeyId)
})

test('a blocked address is not connected to, whatever the endpoint’s own lists say', async () => {
  expect(await put({ allowCidrs: [] })).toMatchObject({ outcome: 'error', category: 'blocked' })
  const blockedCidrs = ['127.0.0.1/32']
  expect(await put({ storage: { blockedCidrs } })).toMatchObject({ category: 'blocked' })
  const metadata = { target: { endpoint: 'http://169.254.169.254' } }
  expect(await put(metadata)).toMatchObject({ category: 'blocked' })
})

test('a store that does not answer is given up in time', async () => {
  const silent = createServer((socket) => void socket.resume().on('error', () => {}))
  const port = await freePort()
  await new Promise<void>((done) => silent.listen(port, '127.0.0.1', done))
  const endpoint = `http://127.0.0.1:${port}`
  const result = await put({ target: { endpoint }, storage: { timeoutMs: 200 } })
  expect(result).toMatchObject({ outcome: 'error', category: 'timeout' })
  const closed = new Promise((done) => silent.close(done))
  await egresses.pop()?.close()
  await closed
})

test('a server that takes anything is no store', async () => {
  const receiver = await startReceiver()
  const result = await put({ target: { endpoint: receiver.url } })
  await receiver.close()
  expect(result).toMatchObject({
    outcome: 'error',
    category: 'storage',
    detail: 'status 200 without an ETag: is this an S3 endpoint?',
  })
})

test('Amazon’s own host follows from bucket and region, and its addresses are checked', async () => {
  const asked: string[] = []
  const lookup: Lookup = async (name) => {
    asked.push(name)
    return ['10.0.0.1']
  }
  const target = { bucket: 'my-bucket', region: 'eu-central-1', endpoint: undefined }
  expect(await put({ target: target as never, lookup })).toMatchObject({ category: 'blocked' })
  expect(asked).toEqual(['my-bucket.s3.eu-central-1.amazonaws.com'])
})

test('what the environment says of Amazon is not used', async () => {
  const before = { ...process.env }
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'the-operators',
    AWS_SECRET_ACCESS_KEY: 'own',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
    AWS_PROFILE: 'none-such',
    AWS_MAX_ATTEMPTS: '5',
  })
  const receiver = await startReceiver()
  receiver.answer({ status: 503, headers: { 'retry-after': '7' } })
  try {
    const result = await put({ credentials: null, target: { endpoint: receiver.url } })
    expect(result).toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': '7' },
      refusal: expect.stringMatching(/^the store is in trouble \(.+, status 503\)$/),
    })
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.requests[0]?.headers).not.toHaveProperty('authorization')
  } finally {
    process.env = before
    await receiver.close()
  }
})
