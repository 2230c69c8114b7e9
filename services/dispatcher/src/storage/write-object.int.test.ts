/**
 * The life of a delivery whose endpoint is in storage mode, as its store and its attempts show it.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { StorageCredentials, StorageTarget } from '@posthorn/contracts/storage-config'
import { sealedAt } from '@posthorn/store/seal'
import { eventually } from '@posthorn/testing/eventually'
import { createRig, type NewDelivery, type Rig } from '../dispatcher.fixture.ts'
import { makeBucket, type TestBucket } from './s3.fixture.ts'

const WRONG = { accessKeyId: 'posthorn', secretAccessKey: 'a-wrong-secret-that-nobody-reads' }

let rig: Rig
let bucket: TestBucket
let dir = ''
beforeAll(async () => {
  bucket = await makeBucket()
  dir = await mkdtemp(join(tmpdir(), 'posthorn-storage-'))
  rig = await createRig()
  await rig.start({}, dir)
}, 660_000) // the first time the S3 server is built
afterAll(async () => {
  await rig?.close()
  bucket?.close()
  await rm(dir, { recursive: true, force: true })
})

async function addStorage(
  target: StorageTarget,
  credentials: StorageCredentials | null = null,
  more: { transformation?: string; blockedCidrs?: string[] } = {},
): Promise<string> {
  const endpointId = await rig.addEndpoint({
    url: 'storage://archive',
    deliveryMode: 'storage',
    storageConfig: target,
    ...more,
  })
  if (credentials !== null) await setCredentials(endpointId, credentials)
  return endpointId
}

async function setCredentials(endpointId: string, credentials: StorageCredentials): Promise<void> {
  await rig.pool.query(
    `UPDATE endpoints SET storage_credentials = $2, storage_key_hint = 'hint' WHERE id = $1`,
    [
      endpointId,
      rig.seal.seal(
        JSON.stringify(credentials),
        sealedAt('endpoints.storage_credentials', rig.tenantId, endpointId),
      ),
    ],
  )
  await rig.setStatus(endpointId, 'active')
}

function s3(prefix: string): StorageTarget {
  const { endpoint, bucket: name } = bucket
  return { type: 's3', bucket: name, region: 'us-east-1', endpoint, prefix }
}

function keyOf({ eventId, createdAt }: DueDelivery, prefix: string): string {
  const day = new Date(createdAt).toISOString().slice(0, 10).replaceAll('-', '/')
  return `${prefix}/order.paid/${day}/${eventId}.json`
}

async function deliver(one: NewDelivery, state: string): Promise<DueDelivery> {
  const message = await rig.deliver(one)
  await ends(message, state)
  return message
}

async function ends({ deliveryId }: DueDelivery, state: string): Promise<void> {
  await eventually(async () => expect((await rig.states())[deliveryId]).toBe(state))
}

test('an event becomes one object of its bytes, and its attempt says so', async () => {
  const payload = '{"b":1.0, "a":"ü"}'
  const endpointId = await addStorage(s3('plain'), bucket.credentials)
  const message = await deliver({ endpointId, payload, headers: '{"X-Mine":"1"}' }, 'delivered')
  expect(await bucket.get(keyOf(message, 'plain'))).toEqual({
    bytes: payload,
    contentType: 'application/json',
    metadata: { 'event-id': message.eventId, 'event-type': 'order.paid' },
  })
  expect(await rig.attempts(message.deliveryId)).toMatchObject([
    { attempt_number: 1, status_code: 200, error: '', url: 'storage://archive' },
  ])
})

test('a transformation’s output is what is kept', async () => {
  const transformation =
    'function transform(event) { return { payload: { was: event.payload.n } } }'
  const endpointId = await addStorage(s3('changed'), bucket.credentials, { transformation })
  const message = await deliver({ endpointId, payload: '{"n":7}' }, 'delivered')
  expect((await bucket.get(keyOf(message, 'changed'))).bytes).toBe('{"was":7}')
})

test('bad credentials fail the attempt and say why; set right, the retry writes the same key', async () => {
  const endpointId = await addStorage(s3('mended'), WRONG)
  const message = await deliver({ endpointId }, 'waiting')
  const [failed] = await rig.attempts(message.deliveryId)
  expect(failed).toMatchObject({
    status_code: 403,
    error: 'storage: the credentials are refused (SignatureDoesNotMatch, status 403)',
  })
  expect(failed?.wait_ms).toBeGreaterThan(0)

  await setCredentials(endpointId, bucket.credentials)
  await rig.hasten()
  await ends(message, 'delivered')
  expect(await rig.attempts(message.deliveryId)).toHaveLength(2)
  const keys = (await bucket.keys()).filter((key) => key.startsWith('mended/'))
  expect(keys).toEqual([keyOf(message, 'mended')])
  expect(JSON.stringify([rig.lines, await rig.attempts()])).not.toContain(WRONG.secretAccessKey)
})

test('a bucket that is not there is named, and is tried again', async () => {
  const target = { ...s3('x'), bucket: 'not-there-at-all' } as StorageTarget
  const message = await deliver(
    { endpointId: await addStorage(target, bucket.credentials) },
    'waiting',
  )
  expect(await rig.attempts(message.deliveryId)).toMatchObject([
    {
      status_code: 404,
      error: 'storage: there is no bucket not-there-at-all (NoSuchBucket, status 404)',
    },
  ])
})

test('a store at an address that its endpoint blocks is dead at once', async () => {
  const blockedCidrs = ['127.0.0.0/8']
  const endpointId = await addStorage(s3('blocked'), bucket.credentials, { blockedCidrs })
  const message = await deliver({ endpointId }, 'dead')
  expect(await rig.attempts(message.deliveryId)).toMatchObject([
    { status_code: 0, error: expect.stringMatching(/^blocked: /) },
  ])
  expect((await bucket.keys()).filter((key) => key.startsWith('blocked/'))).toEqual([])
})

test('credentials under a lost master key are our own trouble, and no secret of anybody', async () => {
  const endpointId = await addStorage(s3('lost'), bucket.credentials)
  await rig.pool.query(`UPDATE endpoints SET storage_credentials = 's1:0000:AAAA' WHERE id = $1`, [
    endpointId,
  ])
  await rig.setStatus(endpointId, 'active')
  const message = await deliver({ endpointId }, 'waiting')
  expect(await rig.attempts(message.deliveryId)).toMatchObject([
    { error: 'internal: sealed under a master key that is not given: 0000' },
  ])
})

test('an event becomes a file', async () => {
  const payload = '{"b":1.0, "a":"ü"}'
  const endpointId = await addStorage({ type: 'file', prefix: '/shop/' })
  const message = await deliver({ endpointId, payload }, 'delivered')
  expect(await readFile(join(dir, rig.tenantId, keyOf(message, 'shop')), 'utf8')).toBe(payload)
  expect(await rig.attempts(message.deliveryId)).toMatchObject([{ status_code: 200, error: '' }])
})

test('a dispatcher without a folder says so, and nothing is written', async () => {
  const bare = await createRig()
  try {
    await bare.start()
    const endpointId = await bare.addEndpoint({
      url: 'storage://archive',
      deliveryMode: 'storage',
      storageConfig: { type: 'file' },
    })
    const message = await bare.deliver({ endpointId })
    await eventually(async () =>
      expect(await bare.attempts(message.deliveryId)).toMatchObject([
        { status_code: 0, error: 'storage: files are off here: STORAGE_DIR is not set' },
      ]),
    )
  } finally {
    await bare.close()
  }
})
