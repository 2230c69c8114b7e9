/** The SDK for Node against the product: what it sends arrives, verified and explained by it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { Posthorn, webhooks } from '../../sdks/node/src/posthorn-node.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

let product: SharedProduct
let receiver: Receiver
let posthorn: Posthorn
beforeAll(async () => {
  receiver = await startReceiver()
  product = await joinProduct('standalone')
  posthorn = new Posthorn({ apiKey: product.apiKey, baseUrl: product.url })
}, 300_000)
afterAll(async () => {
  await product?.leave()
  await receiver?.close()
}, 60_000)

test('what is sent by it arrives, is verified by it, and is explained by it', async () => {
  const endpoint = await posthorn.endpoints.create({
    url: `${receiver.url}/sdk`,
    eventTypes: ['sdk.tried'],
    signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  const made = await posthorn.events.create({ eventType: 'sdk.tried', payload: { name: 'Zoë' } })
  const request = await eventually(
    () => receiver.requests.find(({ path }) => path === '/sdk') ?? false,
  )
  if (request === false) throw new Error('nothing arrived')
  const event = await webhooks.verify<{ 'sdk.tried': { name: string } }>(
    request.rawBody,
    request.headers,
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  )
  expect([event.id, event.eventType, event.payload.name]).toEqual([made.id, 'sdk.tried', 'Zoë'])
  await eventually(async () =>
    expect((await posthorn.events.get(made.id)).status).toBe('delivered'),
  )
  const { endpoints } = await posthorn.events.explain(made.id)
  expect(endpoints).toContainEqual(expect.objectContaining({ endpointId: endpoint.id }))

  const more = await Promise.all(
    [1, 2, 3].map((n) => posthorn.events.create({ eventType: 'sdk.tried', payload: { n } })),
  )
  const listed: string[] = []
  for await (const { id } of posthorn.events.list({ eventType: 'sdk.tried', limit: 2 }))
    listed.push(id)
  expect(listed.toSorted()).toEqual([made, ...more].map(({ id }) => id).toSorted())
  await expect(posthorn.endpoints.get(made.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await posthorn.endpoints.delete(endpoint.id)
})
