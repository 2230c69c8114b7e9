/** Platforms that sign the URL and the fields of a form, or parts of the URL. */
import { createHash } from 'node:crypto'
import { namesOf, pem, signature } from './keys.fixture.ts'
import {
  commonFields,
  type SignerEvent,
  FORM,
  hmac,
  SOURCE_URL,
  type Signer,
  secretsOf,
} from './signer.fixture.ts'

const FORM_TYPE = { 'Content-Type': FORM }

interface FormEvent extends SignerEvent {
  readonly body: string
  readonly header: string
  readonly secretIn?: string
  readonly text: (fields: string, body: string) => string
  readonly digest?: readonly ['sha1' | 'sha256', 'base64']
}

/** `<name><value>` of every field, by name. */
function joined(body: string): string {
  const byName = new Map<string, Set<string>>()
  for (const [name, value] of new URLSearchParams(body))
    byName.set(name, (byName.get(name) ?? new Set()).add(value))
  const names = [...byName.keys()].sort()
  return names
    .flatMap((name) => [...(byName.get(name) as Set<string>)].sort().map((value) => name + value))
    .join('')
}

function form(event: FormEvent): Signer {
  const { url = SOURCE_URL, secretIn = 'secret', digest = ['sha1', 'base64'] } = event
  return {
    ...commonFields(event),
    secrets: secretsOf(event.source, 'utf8'),
    config: (secret) => ({ ...event.config, [secretIn]: secret }),
    sign({ body, secret, touch }) {
      const sealed = touch(hmac(secret, event.text(joined(body), body), [...digest]))
      return { url, body, headers: { ...FORM_TYPE, ...event.headers, [event.header]: sealed } }
    },
    covers: { body: true, ...(event.pinned ? {} : { url: true as const }) },
    carriedIn: [event.header],
  }
}

const PUBLIC = 'https://public.example.com/in?a=1'
const OWN = 'https://user:pass@public.example.com/in?a=1'
const mandrillBody = `mandrill_events=${encodeURIComponent(JSON.stringify([{ event: 'send', _id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa', ts: 1700000000, msg: {} }]))}`
export const mandrill: readonly Signer[] = [
  {
    ...form({
      source: 'mandrill',
      header: 'X-Mandrill-Signature',
      body: mandrillBody,
      text: (fields) => `${SOURCE_URL}${fields}`,
      type: 'send',
      id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa:send:1700000000',
    }),
    handshakes: [
      {
        of: 'the URL',
        request: { method: 'HEAD', headers: {}, body: '' },
        answer: { status: 200 },
      },
    ],
  },
  form({
    source: 'mandrill',
    variant: 'at a URL of its own',
    config: { webhook_url: OWN },
    pinned: { webhook_url: OWN },
    header: 'X-Mandrill-Signature',
    body: mandrillBody,
    text: (fields) => `${OWN}${fields}`,
    type: 'send',
    id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa:send:1700000000',
  }),
]

const call =
  'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=5678&Digits=1234&Digits=1234&CallStatus=completed&To=%2B18005551212'
const sms = { property: 'value', boolean: true }
const idempotency = { 'I-Twilio-Idempotency-Token': 'f8a2' }
export const twilio: readonly Signer[] = [
  form({
    source: 'twilio',
    url: `${SOURCE_URL}?foo=1&bar=2`,
    header: 'X-Twilio-Signature',
    headers: idempotency,
    body: call,
    text: (fields) => `${SOURCE_URL}?foo=1&bar=2${fields}`,
    type: 'completed',
    id: 'f8a2',
  }),
  form({
    source: 'twilio',
    variant: 'of a message',
    header: 'X-Twilio-Signature',
    headers: idempotency,
    body: 'MessageSid=SM1&MessageStatus=delivered',
    text: (fields) => `${SOURCE_URL}${fields}`,
    type: 'delivered',
    id: 'f8a2',
  }),
  form({
    source: 'twilio',
    variant: 'at a URL of its own',
    config: { webhook_url: PUBLIC },
    pinned: { webhook_url: PUBLIC },
    header: 'X-Twilio-Signature',
    headers: idempotency,
    body: 'MessageStatus=delivered',
    text: (fields) => `${PUBLIC}${fields}`,
    type: 'delivered',
    id: 'f8a2',
  }),
  twilioJson(),
]

/** Of a body that is no form Twilio puts a hash into the URL. */
function twilioJson(): Signer {
  const body = JSON.stringify(sms)
  const url = `${SOURCE_URL}?foo=1&bodySHA256=${createHash('sha256').update(body).digest('hex')}`
  const base = form({
    source: 'twilio',
    variant: 'of JSON',
    url,
    header: 'X-Twilio-Signature',
    body,
    text: () => url,
    id: 'f8a2',
  })
  return {
    ...base,
    sign(ask) {
      const sent = base.sign(ask)
      return {
        ...sent,
        headers: { ...sent.headers, ...idempotency, 'Content-Type': 'application/json' },
      }
    },
  }
}

const plivoBody = 'CallUUID=97ceeb52&CallStatus=completed&From=14158675309&Event=Hangup'
const NONCE = '12345678901234567890'
export const plivo: readonly Signer[] = [
  { name: undefined, query: '', text: (fields: string) => `${SOURCE_URL}?${fields}.${NONCE}` },
  {
    name: 'with a query',
    query: '?foo=2&bar=1',
    text: (fields: string) => `${SOURCE_URL}?bar=1&foo=2.${fields}.${NONCE}`,
  },
].flatMap(({ name, query, text }) =>
  ['X-Plivo-Signature-V3', 'X-Plivo-Signature-Ma-V3'].map((header) => {
    const variants = [name, header.includes('Ma') ? 'of the main account' : undefined].filter(
      (one) => one !== undefined,
    )
    return form({
      source: 'plivo',
      url: `${SOURCE_URL}${query}`,
      secretIn: 'auth_token',
      header,
      headers: { 'X-Plivo-Signature-V3-Nonce': NONCE },
      digest: ['sha256', 'base64'],
      body: plivoBody,
      text,
      type: 'Hangup',
      ...(variants.length > 0 ? { variant: variants.join(', ') } : {}),
    })
  }),
)

const payment = {
  action: 'payment.updated',
  api_version: 'v1',
  data: { id: 'ABC123' },
  id: 12345,
  live_mode: true,
  type: 'payment',
}
export const mercadoPago: readonly Signer[] = [
  { id: 'ABC123', signs: 'abc123' },
  { variant: 'as it was received', id: 'ABC123', signs: 'ABC123' },
].map(({ variant, id, signs }) => ({
  ...commonFields({
    source: 'mercado-pago',
    body: payment,
    type: 'payment.updated',
    id: '12345',
    ...(variant ? { variant } : {}),
  }),
  secrets: secretsOf('mercado-pago', 'utf8'),
  config: (secret: string) => ({ secret }),
  sign({ body, now, shown, secret, touch }) {
    const sealed = touch(
      hmac(secret, `id:${signs};request-id:bb56a2f1;ts:${Math.floor(now / 1000)};`),
    )
    const headers = {
      'Content-Type': 'application/json',
      'x-request-id': 'bb56a2f1',
      'x-signature': `ts=${Math.floor(shown / 1000)},v1=${sealed}`,
    }
    return { url: `${SOURCE_URL}?data.id=${id}&type=payment`, body, headers }
  },
  covers: { body: false, url: ['data.id'], timestamp: true },
  carriedIn: ['x-signature'],
  toleranceSeconds: 300,
}))

const alert =
  'alert_id=1&alert_name=payment_succeeded&balance_gross=9.99&customer_name=J%C3%BCrgen&event_time=2023-11-14+22%3A13%3A20'
export const paddleClassic: Signer = {
  ...commonFields({ source: 'paddle-classic', body: alert, type: 'payment_succeeded', id: '1' }),
  secrets: namesOf('rsa'),
  config: (name) => ({ public_key: pem(name) }),
  sign({ body, secret, touch }) {
    const fields = [...new URLSearchParams(body)].sort(([one], [other]) => (one < other ? -1 : 1))
    const quoted = (text: string) => `s:${Buffer.byteLength(text)}:"${text}";`
    const text = `a:${fields.length}:{${fields.map(([name, value]) => quoted(name) + quoted(value)).join('')}}`
    const sealed = touch(signature('sha1', text, secret).toString('base64'))
    return { body: `${body}&p_signature=${encodeURIComponent(sealed)}`, headers: FORM_TYPE }
  },
  covers: { body: '9.99' },
  carriedIn: [],
}

/** The signature is over the JSON in a field of the form. */
export function travis(
  config: (name: string) => Record<string, string>,
  published?: Record<string, string>,
): Signer {
  const payload = JSON.stringify({
    id: 1,
    number: '1',
    state: 'passed',
    status_message: 'Passed',
    repository: { id: 1 },
  })
  return {
    ...commonFields({
      source: 'travis-ci',
      ...(published ? { variant: 'by the published key' } : {}),
      body: `payload=${encodeURIComponent(payload)}`,
      type: 'passed',
    }),
    secrets: namesOf('rsa'),
    config,
    sign({ body, secret, touch }) {
      const sealed = signature('sha1', new URLSearchParams(body).get('payload') ?? '', secret)
      return {
        body,
        headers: {
          ...FORM_TYPE,
          Signature: touch(sealed.toString('base64')),
          'Travis-Repo-Slug': 'a/b',
        },
      }
    },
    covers: { body: 'passed' },
    carriedIn: ['Signature'],
    ...(published ? { published } : { optional: true as const }),
  }
}
