/** What platforms send while a secret is changed: several signatures, of which one is by the secret that is configured. */
import { hmac, mac, type SignedRequest, type Signer, standard } from './signer.fixture.ts'

const variant = 'while a secret is changed'
const ZEROS = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='
const OTHER = '00'.repeat(32)

function shownAs(base: Signer, name: string, text: (own: string) => string | string[]): Signer {
  return {
    ...base,
    variant,
    sign(ask): SignedRequest {
      const sent = base.sign(ask)
      return { ...sent, headers: { ...sent.headers, [name]: text(String(sent.headers[name])) } }
    },
  }
}

const message = { type: 'contact.created', data: { id: '1' } }
const created = { id: 'event_1', type: 'payment-link.paid' }

export const rotations: readonly Signer[] = [
  shownAs(
    standard({ source: 'standard-webhooks', body: message, type: message.type }),
    'webhook-signature',
    (own) => `v1a,${ZEROS} v1,${ZEROS} ${own}`,
  ),
  shownAs(
    { ...standard({ source: 'supabase-auth-hook', body: message }), deliveryId: null },
    'webhook-signature',
    (own) => `v1,${ZEROS}, ${own}`,
  ),
  ...['sent twice', 'joined on the way'].map((how) => {
    const show = (s: string) => `sha256=${s}`
    const base = mac({
      source: 'mollie',
      header: 'X-Mollie-Signature',
      show,
      body: created,
      type: created.type,
      id: created.id,
    })
    const both = (own: string) => [`sha256=${OTHER}`, own]
    const text = how === 'sent twice' ? both : (own: string) => both(own).join(', ')
    return { ...shownAs(base, 'X-Mollie-Signature', text), variant: `${variant}, ${how}` }
  }),
  shownAs(
    mac({
      source: 'orb',
      header: 'X-Orb-Signature',
      signed: (body, t) => `v1:${t}:${body}`,
      show: (s) => `v1=${s}`,
      time: { unit: 'naive', header: 'X-Orb-Timestamp', tolerance: 300 },
      body: message,
      type: message.type,
    }),
    'X-Orb-Signature',
    (own) => `v1=${OTHER} ${own}`,
  ),
  mac({
    source: 'paddle',
    variant,
    header: 'Paddle-Signature',
    signed: (body, t) => `${t}:${body}`,
    show: (s, t) => `ts=${t};h1=${OTHER};h1=${s}`,
    time: { unit: 's', tolerance: 5 },
    body: { event_id: 'evt_1', event_type: 'transaction.paid' },
    type: 'transaction.paid',
    id: 'evt_1',
  }),
  mac({
    source: 'persona',
    variant,
    header: 'Persona-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${OTHER} t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: { data: { id: 'evt_X', attributes: { name: 'inquiry.completed' } } },
    type: 'inquiry.completed',
    id: 'evt_X',
  }),
  mac({
    source: 'stripe',
    variant,
    header: 'Stripe-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `v0=00,v1=${OTHER},v1=${s},t=${t}`,
    time: { unit: 's', tolerance: 300 },
    body: { id: 'evt_1', type: 'customer.created' },
    type: 'customer.created',
    id: 'evt_1',
  }),
  mac({
    source: 'affirm',
    variant,
    header: 'X-Affirm-Signature',
    digest: ['sha512', 'hex'],
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v0=${OTHER}${OTHER},v0=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: 'event=confirmed&checkout_token=ABC',
    type: 'confirmed',
  }),
  mac({
    source: 'worldpay',
    variant,
    header: 'Event-Signature',
    config: { key_id: '1' },
    show: (s) => `2/SHA256/${OTHER},1/SHA256/${s}`,
    body: { eventId: '5eb9', eventDetails: { type: 'authorized' } },
    type: 'authorized',
    id: '5eb9',
  }),
  plivo(),
]

function plivo(): Signer {
  const base = mac({
    source: 'plivo',
    variant,
    secretIn: 'auth_token',
    header: 'X-Plivo-Signature-V3',
    body: 'CallUUID=97ceeb52&Event=Hangup',
    type: 'Hangup',
    coversUrl: true,
  })
  return {
    ...base,
    sign({ body, secret, touch }) {
      const text = 'https://hooks.example.com/inbound/abcdefgh?CallUUID97ceeb52EventHangup.1234'
      const own = touch(hmac(secret, text, ['sha256', 'base64']))
      const type = 'application/x-www-form-urlencoded'
      return {
        body,
        headers: {
          'Content-Type': type,
          'X-Plivo-Signature-V3-Nonce': '1234',
          'X-Plivo-Signature-V3': `${ZEROS},${own}`,
        },
      }
    },
  }
}
