/** Platforms that send a JSON Web Token (or a JWS), as their documents say. */
import { createHash } from 'node:crypto'
import {
  idOf,
  type KeyKind,
  jwkOf,
  jwsSignature,
  keySet,
  keyToken,
  macToken,
  namesOf,
  pem,
  spki,
} from './keys.fixture.ts'
import {
  commonFields,
  type SigningInput,
  type SignerEvent,
  headersOf,
  SOURCE_URL,
  type Signer,
  secretsOf,
} from './signer.fixture.ts'

const sha256 = (text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(text).digest(encoding)
const seconds = (at: number) => Math.floor(at / 1000)

interface TokenEvent extends SignerEvent {
  readonly header?: string
  readonly scheme?: string
  readonly claims: (ask: SigningInput) => Record<string, unknown>
  /** An HMAC's secret, or else a private key. */
  readonly key: 'secret' | KeyKind
  readonly alg?: string
  readonly keyConfig: (secret: string) => Record<string, string>
  readonly covers: Signer['covers']
  readonly tolerance?: number | null
  readonly published?: Readonly<Record<string, string>>
  /** The token is all of the body. */
  readonly whole?: true
}

function tokens(event: TokenEvent): Signer {
  const { key, alg, header = 'Authorization', scheme = '', tolerance, published } = event
  return {
    ...commonFields(event),
    secrets: key === 'secret' ? secretsOf(event.source, 'utf8') : namesOf(key),
    config: (secret) => ({ ...event.config, ...event.keyConfig(secret) }),
    sign(ask) {
      const claims = event.claims(ask)
      const jwt =
        key === 'secret'
          ? macToken(claims, ask.secret, ask.touch, alg)
          : keyToken(claims, ask.secret, ask.touch, alg)
      const url = event.url ?? SOURCE_URL
      if (event.whole) return { url, headers: { 'Content-Type': 'text/plain' }, body: jwt }
      return { url, headers: { ...headersOf(event), [header]: `${scheme}${jwt}` }, body: ask.body }
    },
    covers: event.covers,
    carriedIn: event.whole ? [] : [header],
    ...(tolerance === undefined ? {} : { toleranceSeconds: tolerance }),
    ...(published === undefined ? {} : { published }),
  }
}

export const canva = tokens({
  source: 'canva',
  body: '',
  whole: true,
  key: 'ed25519',
  alg: 'EdDSA',
  keyConfig: () => ({ client_id: 'OC-1' }),
  pinned: { client_id: 'OC-1' },
  claims: ({ now }) => ({
    aud: 'OC-1',
    iat: seconds(now),
    exp: seconds(now) + 300,
    id: 'n1',
    content: { type: 'share_design' },
  }),
  covers: { body: true },
  tolerance: 300,
  type: 'share_design',
  published: { 'https://api.canva.com/rest/v1/connect/keys': keySet('ed25519') },
})

const call = {
  call_id: 4991,
  state: 'hangup',
  direction: 'inbound',
  event_timestamp: 1700000000000,
}
export const dialpad: readonly Signer[] = [
  tokens({
    source: 'dialpad',
    body: '',
    whole: true,
    key: 'secret',
    keyConfig: (secret) => ({ secret }),
    claims: () => call,
    covers: { body: true },
    type: 'hangup',
    id: '4991:hangup:1700000000000',
  }),
]

/** A JWS without its middle: that is the body. */
export const fireblocks: readonly Signer[] = ['', 'eu', 'eu2', 'sandbox'].map((environment) => {
  const body = JSON.stringify({
    id: 'b5a3e4c2',
    eventType: 'transaction.created',
    eventVersion: 1,
    resourceId: 'r',
    data: {},
    createdAt: 1700000000000,
    workspaceId: 'w',
  })
  const host = environment === '' ? 'keys.fireblocks.io' : `${environment}-keys.fireblocks.io`
  return {
    source: 'fireblocks',
    ...(environment === '' ? {} : { variant: environment }),
    secrets: namesOf('rsa'),
    config: (): Record<string, string> => (environment === '' ? {} : { environment }),
    body,
    sign({ body: text, secret, touch }: SigningInput) {
      const head = Buffer.from(
        JSON.stringify({ alg: 'RS512', kid: idOf(secret), typ: 'JWT' }),
      ).toString('base64url')
      const signature = jwsSignature(
        `${head}.${Buffer.from(text).toString('base64url')}`,
        secret,
        'RS512',
      )
      return {
        body: text,
        headers: {
          'Content-Type': 'application/json',
          'Fireblocks-Webhook-Signature': `${head}..${touch(signature)}`,
        },
      }
    },
    covers: { body: true },
    carriedIn: ['Fireblocks-Webhook-Signature'],
    eventType: 'transaction.created',
    deliveryId: 'b5a3e4c2',
    published: {
      [`https://${host}/.well-known/jwks.json`]: keySet('rsa').replaceAll('RS256', 'RS512'),
    },
  }
})

const user = {
  event: {
    id: 'e502168a-b469-45d9-a079-fd45f83e0406',
    type: 'user.create',
    createInstant: 1700000000000,
  },
}
const fusion = {
  source: 'fusionauth',
  header: 'X-FusionAuth-Signature-JWT',
  body: user,
  type: 'user.create',
  id: user.event.id,
  covers: { body: true },
  claims: ({ body }: SigningInput) => ({ request_body_sha256: sha256(body, 'base64') }),
} as const
export const fusionauth: readonly Signer[] = [
  tokens({ ...fusion, key: 'secret', keyConfig: (secret) => ({ secret }) }),
  tokens({
    ...fusion,
    variant: 'of HS512',
    key: 'secret',
    alg: 'HS512',
    keyConfig: (secret) => ({ secret }),
  }),
  tokens({
    ...fusion,
    variant: 'by a key',
    key: 'rsa',
    keyConfig: (name) => ({ public_key: pem(name) }),
  }),
  tokens({
    ...fusion,
    variant: 'of a curve',
    key: 'ec',
    alg: 'ES256',
    keyConfig: (name) => ({ public_key: pem(name) }),
  }),
  tokens({
    ...fusion,
    variant: 'of Ed25519',
    key: 'ed25519',
    alg: 'EdDSA',
    keyConfig: (name) => ({ public_key: pem(name) }),
  }),
]

export const gong = tokens({
  source: 'gong',
  scheme: 'Bearer ',
  body: { callData: { metaData: { id: '7782342274025937895' } }, isTest: false },
  id: '7782342274025937895',
  key: 'rsa',
  keyConfig: (name) => ({ public_key: spki(name), webhook_url: SOURCE_URL }),
  pinned: { webhook_url: 'https://hooks.example.com/other' },
  claims: ({ body, now }) => ({
    webhook_url: SOURCE_URL,
    body_sha256: sha256(body),
    iat: seconds(now),
    exp: seconds(now) + 300,
  }),
  covers: { body: true },
  tolerance: 300 + 60,
})

export const pubsub = tokens({
  source: 'google-cloud-pubsub',
  scheme: 'Bearer ',
  body: {
    message: {
      attributes: { eventType: 'OBJECT_FINALIZE' },
      data: 'eyJhIjoxfQ==',
      messageId: '2070443601311540',
      publishTime: '2023-11-14T22:13:20Z',
    },
    subscription: 'projects/p/subscriptions/s',
  },
  type: 'OBJECT_FINALIZE',
  id: '2070443601311540',
  key: 'rsa',
  keyConfig: () => ({
    audience: 'https://example.com',
    service_account_email: 'push@p.iam.gserviceaccount.com',
  }),
  pinned: {
    audience: 'https://example.com',
    service_account_email: 'push@p.iam.gserviceaccount.com',
  },
  claims: ({ now }) => ({
    aud: 'https://example.com',
    azp: '1',
    email: 'push@p.iam.gserviceaccount.com',
    email_verified: true,
    iss: 'https://accounts.google.com',
    sub: '1',
    iat: seconds(now),
    exp: seconds(now) + 3600,
  }),
  covers: { body: false },
  tolerance: 3600 + 60,
  published: { 'https://www.googleapis.com/oauth2/v3/certs': keySet('rsa') },
})

export const keycloakToken = tokens({
  source: 'keycloak',
  variant: 'by a token',
  scheme: 'Bearer ',
  body: { uid: '3d1b', type: 'access.LOGIN' },
  type: 'access.LOGIN',
  id: '3d1b',
  key: 'rsa',
  keyConfig: () => ({
    jwks_uri: 'https://sso.example.com/realms/r/protocol/openid-connect/certs',
    issuer: 'https://sso.example.com/realms/r',
    audience: 'posthorn',
  }),
  pinned: { issuer: 'https://sso.example.com/realms/r', audience: 'posthorn' },
  claims: ({ body, now }) => ({
    iss: 'https://sso.example.com/realms/r',
    aud: 'posthorn',
    iat: seconds(now),
    exp: seconds(now) + 300,
    jti: 'j',
    request_body_sha256: sha256(body),
  }),
  covers: { body: true },
  tolerance: 300 + 60,
  published: { 'https://sso.example.com/realms/r/protocol/openid-connect/certs': keySet('rsa') },
})

export const lagoJwt = tokens({
  source: 'lago-jwt',
  header: 'X-Lago-Signature',
  headers: { 'X-Lago-Signature-Algorithm': 'jwt', 'X-Lago-Unique-Key': '6f3f' },
  body: { webhook_type: 'invoice.created', invoice: { lago_id: '1' } },
  type: 'invoice.created',
  id: '6f3f',
  key: 'rsa',
  keyConfig: (name) => ({ public_key: Buffer.from(pem(name)).toString('base64') }),
  claims: ({ body }) => ({ data: body, iss: 'https://api.getlago.com' }),
  covers: { body: true },
})

export const livekit = tokens({
  source: 'livekit',
  contentType: 'application/webhook+json',
  body: { event: 'room_started', id: 'EV_3vZV', createdAt: '1700000000', room: { sid: 'RM_1' } },
  type: 'room_started',
  id: 'EV_3vZV',
  key: 'secret',
  keyConfig: (secret) => ({ api_key: 'APIkey', api_secret: secret }),
  pinned: { api_key: 'APIkey' },
  claims: ({ body, now }) => ({
    iss: 'APIkey',
    nbf: seconds(now),
    exp: seconds(now) + 300,
    sha256: sha256(body, 'base64'),
  }),
  covers: { body: true },
  tolerance: 300 + 60,
})

export const messagebird = tokens({
  source: 'messagebird',
  header: 'MessageBird-Signature-JWT',
  url: `${SOURCE_URL}?bar=1&foo=2`,
  body: { id: 'e8077d803532c0b5937c639b60216938', status: 'delivered' },
  type: 'delivered',
  key: 'secret',
  keyConfig: (secret) => ({ secret }),
  claims: ({ body, now }) => ({
    iss: 'MessageBird',
    nbf: seconds(now),
    exp: seconds(now) + 60,
    jti: 'jti-93e55006',
    url_hash: sha256(`${SOURCE_URL}?bar=1&foo=2`),
    payload_hash: sha256(body),
  }),
  covers: { body: true, url: true },
  tolerance: 60 + 60,
})

export const monday = tokens({
  source: 'monday',
  body: {
    event: {
      userId: 1,
      type: 'create_pulse',
      triggerUuid: 'b5ed2e17c530f43668de130142445cba',
      boardId: 2,
    },
  },
  type: 'create_pulse',
  id: 'b5ed2e17c530f43668de130142445cba',
  key: 'secret',
  keyConfig: (secret) => ({ secret, webhook_url: SOURCE_URL }),
  pinned: { webhook_url: 'https://hooks.example.com/other' },
  claims: ({ now }) => ({
    accountId: 1,
    userId: 2,
    aud: SOURCE_URL,
    iat: seconds(now),
    exp: seconds(now) + 300,
  }),
  covers: { body: false },
  tolerance: 300 + 60,
  handshakes: [
    {
      of: 'the URL',
      request: {
        headers: {},
        body: '{"challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}',
      },
      answer: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}',
      },
    },
  ],
})

export const netlify = tokens({
  source: 'netlify',
  header: 'X-Webhook-Signature',
  headers: { 'X-Netlify-Event': 'deploy_created' },
  body: { id: '52465f9803fcc06f7b2a2a3c', state: 'ready' },
  type: 'deploy_created',
  key: 'secret',
  keyConfig: (secret) => ({ secret }),
  claims: ({ body }) => ({ iss: 'netlify', sha256: sha256(body) }),
  covers: { body: true },
})

const plaidKeys = 'https://production.plaid.com/webhook_verification_key/get'
export const plaid = tokens({
  source: 'plaid',
  header: 'Plaid-Verification',
  body: { webhook_type: 'TRANSACTIONS', webhook_code: 'SYNC_UPDATES_AVAILABLE', item_id: 'w' },
  type: 'TRANSACTIONS.SYNC_UPDATES_AVAILABLE',
  key: 'ec',
  alg: 'ES256',
  keyConfig: () => ({ client_id: 'c', secret: 's', environment: 'production' }),
  claims: ({ body, now }) => ({ iat: seconds(now), request_body_sha256: sha256(body) }),
  covers: { body: true },
  tolerance: 300,
  published: Object.fromEntries(
    namesOf('ec').map((name) => [
      `${plaidKeys} ${idOf(name)}`,
      JSON.stringify({ key: { ...jwkOf(name), created_at: 1, expired_at: null }, request_id: 'r' }),
    ]),
  ),
})

export const vonage = tokens({
  source: 'vonage',
  scheme: 'Bearer ',
  body: {
    message_uuid: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab',
    status: 'delivered',
    timestamp: '2023-11-14T22:13:20.000Z',
  },
  type: 'delivered',
  id: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab:delivered',
  key: 'secret',
  keyConfig: (secret) => ({ secret, api_key: 'abcd1234' }),
  pinned: { api_key: 'abcd1234' },
  claims: ({ body, now }) => ({
    iss: 'Vonage',
    api_key: 'abcd1234',
    iat: seconds(now),
    jti: 'jti-c5ba8f24',
    payload_hash: sha256(body),
  }),
  covers: { body: true },
  tolerance: 300,
})

export const wix = tokens({
  source: 'wix',
  body: '',
  whole: true,
  key: 'rsa',
  keyConfig: (name) => ({ public_key: pem(name) }),
  claims: ({ now }) => ({
    data: JSON.stringify({
      eventType: 'wix.contacts.v4.contact_created',
      instanceId: 'i',
      data: JSON.stringify({ id: 'c6e8', entityId: 'e' }),
    }),
    iat: seconds(now),
    exp: seconds(now) + 3600,
  }),
  covers: { body: true },
  tolerance: 3600 + 60,
  type: 'wix.contacts.v4.contact_created',
  id: 'c6e8',
})
