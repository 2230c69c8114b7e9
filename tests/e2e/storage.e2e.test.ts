/**
 * Storage mode from the outside: an endpoint whose store refuses it at first, and one that writes
 * files.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@posthorn/testing/eventually'
import { makeBucket, type TestBucket } from '../../services/dispatcher/src/storage/s3.fixture.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const WRONG = 'a-secret-that-is-not-the-stores'

let posthorn: SharedProduct
let bucket: TestBucket
beforeAll(async () => {
  bucket = await makeBucket()
  posthorn = await joinProduct('standalone')
}, 700_000) // the first time the S3 server is built
afterAll(async () => {
  await posthorn?.leave()
  bucket?.close()
}, 60_000)

async function addEndpoint(eventType: string, storageConfig: object): Promise<string> {
  const created = await posthorn.call('POST', '/api/v1/endpoints', {
    url: 'storage://archive',
    eventTypes: [eventType],
    deliveryMode: 'storage',
    storageConfig,
    maxRetries: 25,
    retryBackoffMs: 500,
    retryBackoffMult: 1,
  })
  expect([created.status, created.text]).toEqual([201, created.text])
  return created.body.id as string
}

async function keyOf(id: string, prefix: string, eventType: string): Promise<string> {
  const { createdAt } = await posthorn.event(id)
  return `${prefix}/${eventType}/${createdAt.slice(0, 10).replaceAll('-', '/')}/${id}.json`
}

test('refused with the reason, given the right secret, stored', async () => {
  const { endpoint, credentials } = bucket
  const { accessKeyId, secretAccessKey } = credentials
  const store = { type: 's3', bucket: bucket.bucket, region: 'us-east-1', endpoint, prefix: 'shop' }
  const endpointId = await addEndpoint('order.paid', {
    ...store,
    accessKeyId,
    secretAccessKey: WRONG,
  })
  const { id } = await posthorn.send({ eventType: 'order.paid', payload: { a: 'ü' } })
  await eventually(async () => {
    const { body } = await posthorn.call('GET', `/api/v1/events/${id}/deliveries`)
    expect(body.deliveries[0]).toMatchObject({
      statusCode: 403,
      error: 'storage: the credentials are refused (SignatureDoesNotMatch, status 403)',
      url: 'storage://archive',
    })
  })

  const tried = await posthorn.call('GET', `/api/v1/events/${id}/deliveries`)
  const one = await posthorn.call('GET', `/api/v1/deliveries/${tried.body.deliveries[0].id}`)
  expect(one.body.requestHeaders).toEqual({ 'Content-Type': 'application/json' })

  const change = { storageConfig: { ...store, accessKeyId, secretAccessKey } }
  const changed = await posthorn.call('PATCH', `/api/v1/endpoints/${endpointId}`, change)
  expect(changed.body).toMatchObject({
    storageConfig: store,
    storageKeyHint: accessKeyId.slice(-4),
  })
  await eventually(async () => expect((await posthorn.event(id)).status).toBe('delivered'), {
    timeoutMs: 15_000,
  })
  expect(await bucket.keys()).toEqual([await keyOf(id, 'shop', 'order.paid')])
  expect((await bucket.get((await bucket.keys())[0] ?? '')).bytes).toBe('{"a":"ü"}')
  const output = await posthorn.output()
  for (const secret of [WRONG, secretAccessKey]) expect(output).not.toContain(secret)
})

test('an event becomes a file', async () => {
  await addEndpoint('file.made', { type: 'file', prefix: 'shop' })
  const { id } = await posthorn.send({ eventType: 'file.made', payload: { n: 1 } })
  const key = await keyOf(id, 'shop', 'file.made')
  await eventually(async () => {
    const { storageDir, tenantId } = posthorn
    expect(await readFile(join(storageDir, tenantId, key), 'utf8')).toBe('{"n":1}')
  })
})
