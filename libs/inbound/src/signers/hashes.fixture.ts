/** Platforms that hash a secret with what they send, or put the request's own parts around it. */
import { createHash } from 'node:crypto'
import { keccak256 } from './keccak.fixture.ts'
import {
  commonFields,
  type SignerEvent,
  FORM,
  headersOf,
  hmac,
  mac,
  SOURCE_URL,
  type Signer,
  secretsOf,
  timeText,
  type Unit,
} from './signer.fixture.ts'

interface HashEvent extends SignerEvent {
  readonly header: string
  readonly hash: (text: string) => string
  readonly text: (body: string, secret: string, time: string) => string
  readonly time?: {
    readonly unit: Unit
    readonly header: string
    readonly tolerance: number | null
  }
  readonly show?: (signature: string) => string
  readonly coversUrl?: true
}

function hashed(event: HashEvent): Signer {
  const { time, show = (signature) => signature } = event
  return {
    ...commonFields(event),
    secrets: secretsOf(event.source, 'utf8'),
    config: (secret) => ({ ...event.config, secret }),
    sign({ body, now, shown, secret, touch }) {
      const at = time ? timeText(now, time.unit) : ''
      const signature = show(touch(event.hash(event.text(body, secret, at))))
      const timeHeader = time ? { [time.header]: timeText(shown, time.unit) } : {}
      return { body, headers: { ...headersOf(event), ...timeHeader, [event.header]: signature } }
    },
    covers: {
      body: true,
      ...(time ? { timestamp: true as const } : {}),
      ...(event.coversUrl ? { url: true as const } : {}),
    },
    carriedIn: [event.header],
    ...(time ? { toleranceSeconds: time.tolerance } : {}),
  }
}

const digest = (algorithm: string) => (text: string) =>
  createHash(algorithm).update(text).digest('hex')
const upload = {
  notification_type: 'upload',
  timestamp: '2023-11-14T22:13:20+00:00',
  request_id: 'cfbf3f35ebaf0a2a6b6bb2f1c4ec2f8c',
  public_id: 'sample',
}

export const cloudinary: readonly Signer[] = ['sha1', 'sha256'].map((algorithm) =>
  hashed({
    source: 'cloudinary',
    ...(algorithm === 'sha1' ? {} : { variant: 'of SHA-256', config: { algorithm } }),
    header: 'X-Cld-Signature',
    hash: digest(algorithm),
    text: (body, secret, t) => `${body}${t}${secret}`,
    time: { unit: 's', header: 'X-Cld-Timestamp', tolerance: 7200 },
    body: upload,
    type: 'upload',
    id: upload.request_id,
  }),
)

const contact = [
  {
    eventId: 100,
    subscriptionId: 12345,
    portalId: 62515,
    occurredAt: 1564113600000,
    subscriptionType: 'contact.creation',
    attemptNumber: 0,
    objectId: 123,
  },
]
export const hubspot: readonly Signer[] = [
  mac({
    source: 'hubspot',
    header: 'X-HubSpot-Signature-v3',
    digest: ['sha256', 'base64'],
    signed: (body, t, url) => `POST${url}${body}${t}`,
    time: { unit: 'ms', header: 'X-HubSpot-Request-Timestamp', tolerance: 300 },
    coversUrl: true,
    body: contact,
    type: 'contact.creation',
    id: '100:12345:1564113600000',
  }),
  mac({
    source: 'hubspot',
    variant: 'with an escaped query',
    url: `${SOURCE_URL}?to=a%3Ab%2Fc%40d%20e`,
    header: 'X-HubSpot-Signature-v3',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `POST${SOURCE_URL}?to=a:b/c@d%20e${body}${t}`,
    time: { unit: 'ms', header: 'X-HubSpot-Request-Timestamp', tolerance: 300 },
    coversUrl: true,
    body: contact,
    type: 'contact.creation',
    id: '100:12345:1564113600000',
  }),
  mac({
    source: 'hubspot',
    variant: 'at a URL of its own',
    config: { webhook_url: 'https://public.example.com/in' },
    pinned: { webhook_url: 'https://public.example.com/in' },
    header: 'X-HubSpot-Signature-v3',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `POSThttps://public.example.com/in${body}${t}`,
    time: { unit: 'ms', header: 'X-HubSpot-Request-Timestamp', tolerance: 300 },
    body: contact,
    type: 'contact.creation',
    id: '100:12345:1564113600000',
  }),
]
export const hubspotV1 = hashed({
  source: 'hubspot-v1',
  header: 'X-HubSpot-Signature',
  headers: { 'X-HubSpot-Signature-Version': 'v1' },
  hash: digest('sha256'),
  text: (body, secret) => `${secret}${body}`,
  body: contact,
  type: 'contact.creation',
  id: '100:12345:1564113600000',
})
export const hubspotV2 = hashed({
  source: 'hubspot-v2',
  header: 'X-HubSpot-Signature',
  headers: { 'X-HubSpot-Signature-Version': 'v2' },
  hash: digest('sha256'),
  text: (body, secret) => `${secret}POST${SOURCE_URL}${body}`,
  coversUrl: true,
  body: contact,
  type: 'contact.creation',
})

const NAMES = 'x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic'
export const contentful: Signer = {
  ...mac({
    source: 'contentful',
    secrets: ['a1'.repeat(32), 'b2'.repeat(32)],
    header: 'x-contentful-signature',
    contentType: 'application/vnd.contentful.management.v1+json',
    body: { sys: { type: 'Entry', id: 'cat' }, fields: {} },
    type: 'ContentManagement.Entry.publish',
    time: { unit: 'ms', tolerance: 30 },
    coversUrl: true,
  }),
  sign({ body, now, shown, secret, touch }) {
    const signedHeaders = (time: number) => ({
      'x-contentful-signed-headers': NAMES,
      'x-contentful-timestamp': String(time),
      'x-contentful-topic': 'ContentManagement.Entry.publish',
    })
    const pairs = Object.entries(signedHeaders(now)).map(([name, value]) => `${name}:${value}`)
    const text = ['POST', '/inbound/abcdefgh', pairs.join(';'), body].join('\n')
    const type = 'application/vnd.contentful.management.v1+json'
    return {
      body,
      headers: {
        'Content-Type': type,
        ...signedHeaders(shown),
        'x-contentful-signature': touch(hmac(secret, text)),
      },
    }
  },
}

const changed = {
  operation: 'publish',
  data: { __typename: 'Product', id: 'ck1', stage: 'PUBLISHED' },
}
export const hygraph: Signer = {
  ...mac({
    source: 'hygraph',
    header: 'gcms-signature',
    body: changed,
    type: 'publish',
    time: { unit: 'ms', tolerance: null },
  }),
  sign({ body, now, shown, secret, touch }) {
    const text = JSON.stringify({ Body: body, EnvironmentName: 'master', TimeStamp: now })
    const signature = touch(hmac(secret, text, ['sha256', 'base64']))
    return {
      body,
      headers: {
        'Content-Type': 'application/json',
        'gcms-signature': `sign=${signature}, env=master, t=${shown}`,
      },
    }
  },
}

const stream = {
  confirmed: true,
  chainId: '0x1',
  streamId: '8c1f',
  tag: 'mainnet',
  block: { number: '1', hash: '0xa', timestamp: '1' },
  txs: [],
  logs: [],
}
export const moralis = hashed({
  source: 'moralis',
  header: 'x-signature',
  hash: keccak256,
  show: (s) => `0x${s}`,
  text: (body, secret) => `${body}${secret}`,
  body: stream,
  type: 'mainnet',
  id: '8c1f:0xa:true',
})

export const pagseguro = hashed({
  source: 'pagseguro',
  header: 'x-authenticity-token',
  headers: { 'x-product-id': 'ORDE_F87334AC' },
  hash: digest('sha256'),
  text: (body, secret) => `${secret}-${body}`,
  body: { id: 'ORDE_F87334AC', reference_id: 'ex-1', charges: [{ id: 'CHAR_1', status: 'PAID' }] },
  type: 'PAID',
})

const order = {
  order: { orderId: 'LDLW5N7MF4140324GUEST000P01', status: 'COMPLETED' },
  properties: [],
}
export const payu: readonly Signer[] = ['md5', 'sha256'].map((algorithm) =>
  hashed({
    source: 'payu',
    ...(algorithm === 'md5' ? {} : { variant: 'of SHA-256' }),
    header: 'OpenPayu-Signature',
    hash: digest(algorithm),
    show: (s) =>
      `sender=checkout;signature=${s};algorithm=${algorithm === 'md5' ? 'MD5' : 'SHA-256'};content=DOCUMENT`,
    text: (body, secret) => `${body}${secret}`,
    body: order,
    type: 'COMPLETED',
    id: 'LDLW5N7MF4140324GUEST000P01:COMPLETED',
  }),
)

export const zohoBooks: Signer = {
  ...mac({
    source: 'zoho-books',
    header: 'X-Zoho-Webhook-Signature',
    body: '{"created_date":"2019-03-06","event_id":"5675"}',
  }),
  covers: { body: true, url: 'query' },
  sign({ body, secret, touch }) {
    const signature = touch(hmac(secret, `namebasicsubscription_id90343${body}`))
    return {
      url: `${SOURCE_URL}?subscription_id=90343&name=basic`,
      body,
      headers: { 'Content-Type': 'application/json', 'X-Zoho-Webhook-Signature': signature },
    }
  },
}
export const zohoBooksForm: Signer = {
  ...mac({
    source: 'zoho-books',
    variant: 'of a form',
    header: 'X-Zoho-Webhook-Signature',
    body: 'total=12%2E50&invoice=INV-1',
  }),
  covers: { body: true, url: 'query' },
  sign({ body, secret, touch }) {
    const signature = touch(hmac(secret, 'invoiceINV-1namebasictotal12.50'))
    return {
      url: `${SOURCE_URL}?name=basic`,
      body,
      headers: { 'Content-Type': FORM, 'X-Zoho-Webhook-Signature': signature },
    }
  },
}
