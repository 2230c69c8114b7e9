/** An independent signer of Shopify, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const shopifyNames = { topic: 'Topic', id: 'Webhook-Id', shop: 'Shop-Domain', event: 'Event-Id' }

const shopify = (prefix: string) => ({
  [`${prefix}${shopifyNames.topic}`]: 'orders/create',
  [`${prefix}${shopifyNames.id}`]: 'b54557e4',
  [`${prefix}${shopifyNames.shop}`]: 'a.myshopify.com',
  [`${prefix}${shopifyNames.event}`]: '98880550',
})

export const signers: readonly Signer[] = [
  mac({
    source: 'shopify',
    header: 'X-Shopify-Hmac-Sha256',
    digest: ['sha256', 'base64'],
    headers: shopify('X-Shopify-'),
    body: { id: 820982911946154500 },
    type: 'orders/create',
    id: 'b54557e4',
  }),
  mac({
    source: 'shopify',
    variant: 'of events',
    header: 'shopify-hmac-sha256',
    digest: ['sha256', 'base64'],
    headers: shopify('shopify-'),
    body: { id: 820982911946154500 },
    type: 'orders/create',
    id: 'b54557e4',
  }),
]
