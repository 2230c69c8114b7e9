/** The platforms from Mailchimp to Metronome. */
import { mandrillContent, mandrillEvents } from '../odd/mandrill.ts'
import { marqetaEvents } from '../odd/marqeta.ts'
import { mercadoPagoContent } from '../odd/mercado-pago.ts'
import { messengerKind } from '../odd/messenger.ts'
import type { HmacRule, Preset } from '../preset.ts'
import {
  OPTIONAL_SECRET,
  REQUIRED_PASSWORD,
  REQUIRED_USERNAME,
  SECRET,
  URL_TOKEN,
  VERIFY_TOKEN,
  WEBHOOK_URL,
} from '../schemes/config-keys.ts'
import { META_CHALLENGE, META_SIGNATURE } from '../schemes/meta.ts'
import { BASIC } from '../schemes/static-credentials.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'

export const maMe: readonly Preset[] = [
  {
    source: 'mailchimp',
    name: 'Mailchimp',
    description: 'Mailchimp Marketing audience webhooks.',
    mode: 'token',
    docs: 'https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    handshakes: [{ when: { method: 'GET' }, answer: { status: 200 } }],
    eventType: ['$.type'],
    deliveryId: [],
    notes: 'Mailchimp signs nothing: whoever knows the URL with its token is believed.',
  },
  {
    source: 'mailgun',
    name: 'Mailgun',
    description: 'Email events carrying an HMAC of timestamp and token inside the JSON body',
    mode: 'provider_specific',
    docs: 'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
    configKeys: [
      { ...SECRET, meaning: 'The HTTP webhook signing key of the account; not the API key.' },
    ],
    verify: {
      kind: 'any',
      of: [
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          signature: { at: { json: '$.signature.signature' } },
          signed: '{t}{json:$.signature.token}',
          timestamp: {
            at: { json: '$.signature.timestamp' },
            unit: 'seconds',
            toleranceSeconds: null,
          },
        },
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          signature: { at: { form: 'signature' } },
          signed: '{t}{form:token}',
          timestamp: { at: { form: 'timestamp' }, unit: 'seconds', toleranceSeconds: null },
        },
      ],
    },
    eventType: ["$['event-data'].event", '$.event'],
    deliveryId: ["$['event-data'].id", '$.signature.token', '$.token'],
    accepted: { status: 200 },
    notes:
      'Mailgun signs a time and a random token, not the event itself. It repeats a webhook for 8 hours with the first time, so no age is too old. Inbound routes that send multipart forms can’t be verified: choose events.',
  },
  {
    source: 'mailjet',
    name: 'Mailjet',
    description: 'Mailjet event API callbacks.',
    mode: 'basic_auth',
    docs: 'https://dev.mailjet.com/email/guides/webhooks/',
    configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
    verify: BASIC,
    eventType: ['$[*].event', '$.event'],
    deliveryId: [],
    accepted: { status: 200 },
    notes:
      'Put the name and the password into the URL that you enter at Mailjet: https://name:password@host/…. Nothing is signed. Not confirmed by the platform’s documents.',
  },
  {
    source: 'mandrill',
    name: 'Mailchimp Transactional (Mandrill)',
    description: 'Mailchimp Transactional (Mandrill) message and inbound webhooks.',
    mode: 'provider_specific',
    docs: 'https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/',
    configKeys: [
      { ...SECRET, meaning: 'The webhook’s key in Mandrill’s list of webhooks.' },
      WEBHOOK_URL,
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha1',
      encoding: 'base64',
      signature: { at: { header: 'X-Mandrill-Signature' } },
      signed: '{url}, and name and value of each form field, sorted by name',
      content: mandrillContent,
    },
    handshakes: [
      { when: { method: 'HEAD' }, answer: { status: 200 } },
      // The test when the webhook is added: signed with a key that everybody knows, and about nothing.
      {
        when: { method: 'POST', equals: [{ at: { form: 'mandrill_events' }, text: '[]' }] },
        answer: { status: 200 },
      },
    ],
    unpack: mandrillEvents,
    eventType: ['$[*].event'],
    deliveryId: ['{$[*]._id}:{$[*].event}:{$[*].ts}'],
    accepted: { status: 200 },
    notes:
      'The URL is signed exactly as it was entered, with its query and with credentials in it: where it is another than the receiver’s, configure it as webhook_url.',
  },
  {
    source: 'marqeta',
    name: 'Marqeta',
    description: 'Marqeta card-event webhooks (basic auth plus optional HMAC).',
    mode: 'basic_auth',
    docs: 'https://www.marqeta.com/docs/developer-guides/signature-verification',
    configKeys: [
      REQUIRED_USERNAME,
      REQUIRED_PASSWORD,
      { ...OPTIONAL_SECRET, meaning: 'The webhook’s secret; with it Marqeta signs besides.' },
      {
        name: 'signature_algorithm',
        secret: false,
        required: false,
        values: ['sha1', 'sha256'],
        meaning: 'As set at Marqeta. Not set: either.',
      },
    ],
    verify: {
      kind: 'all',
      of: [
        BASIC,
        {
          kind: 'any',
          needs: ['secret'],
          of: [
            {
              kind: 'hmac',
              algorithm: 'sha1',
              encoding: 'hex',
              signature: { at: { header: 'X-Marqeta-Signature' } },
              signed: '{body}',
              needs: ['signature_algorithm?=sha1'],
            },
            {
              kind: 'hmac',
              algorithm: 'sha256',
              encoding: 'hex',
              signature: { at: { header: 'X-Marqeta-Signature' } },
              signed: '{body}',
              needs: ['signature_algorithm?=sha256'],
            },
          ],
        },
      ],
    },
    handshakes: [
      {
        signed: true,
        when: { method: 'POST', has: [{ json: '$.pings[0].token' }] },
        answer: { status: 200 },
      },
    ],
    unpack: marqetaEvents,
    eventType: ['{$.kind}.{$.items[0].type}', '{$.kind}.{$.items[0].state}', '$.kind'],
    deliveryId: ['{$.kind}:{$.items[*].token}'],
    notes:
      'For two weeks after a change from sha1 to sha256 Marqeta may repeat events with the old one: leave signature_algorithm unset meanwhile.',
  },
  {
    source: 'maxio',
    name: 'Maxio (Chargify)',
    description: 'Maxio Advanced Billing (Chargify) webhooks.',
    mode: 'hmac',
    docs: 'https://developers.maxio.com/http/getting-started/webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('X-Chargify-Webhook-Signature-Hmac-Sha-256'),
    eventType: ['$.event'],
    deliveryId: ['$.headers.X-Chargify-Webhook-Id'],
    notes: 'The old signature in X-Chargify-Webhook-Signature, an MD5, is not looked at.',
  },
  {
    source: 'mercado-pago',
    name: 'Mercado Pago',
    description: 'Mercado Pago payment, order and subscription notifications.',
    mode: 'provider_specific',
    docs: 'https://www.mercadopago.com/developers/en/docs/your-integrations/notifications/webhooks',
    configKeys: [{ ...SECRET, meaning: 'The secret signature of the application.' }],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'x-signature' },
        format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 'ts' },
      },
      signed: 'id:{query:data.id};request-id:{header:x-request-id};ts:{t};',
      content: mercadoPagoContent,
      timestamp: { at: 'signature', unit: 'auto', toleranceSeconds: 300 },
    },
    eventType: ['$.action', '$.type', '$.topic'],
    deliveryId: ['$.id', '$.headers.x-request-id'],
    accepted: { status: 200 },
    notes:
      'Mercado Pago signs the id in the URL and not the body: read what you need from its API. Notifications of QR codes are not signed and are refused.',
  },
  {
    source: 'messagebird',
    name: 'MessageBird (Bird)',
    description: 'MessageBird / Bird callbacks signed with MessageBird-Signature-JWT.',
    mode: 'jwt',
    docs: 'https://developers.messagebird.com/api/#verifying-http-requests',
    configKeys: [
      { ...SECRET, meaning: 'The signing key in MessageBird’s dashboard.' },
      WEBHOOK_URL,
    ],
    verify: {
      kind: 'jwt',
      at: { header: 'MessageBird-Signature-JWT' },
      algorithms: ['HS256', 'HS384', 'HS512'],
      key: { config: 'secret', as: 'utf8' },
      issuer: 'MessageBird',
      claims: [
        { claim: 'url_hash', is: { hashOf: '{url}', algorithm: 'sha256', encoding: 'hex' } },
        {
          claim: 'payload_hash',
          is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'hex' },
          absentWhenEmpty: true,
        },
      ],
    },
    eventType: ['$.type', '$.event', '$.status'],
    deliveryId: [],
    notes:
      'Webhook subscriptions of the new Bird platform are signed in another way and are refused.',
  },
  {
    source: 'messenger',
    name: 'Messenger',
    description: 'Facebook Messenger platform events (Meta).',
    mode: 'hmac',
    docs: 'https://developers.facebook.com/docs/messenger-platform/webhooks',
    configKeys: [{ ...SECRET, meaning: 'The Meta app’s secret.' }, VERIFY_TOKEN],
    verify: META_SIGNATURE,
    handshakes: [META_CHALLENGE],
    unpack: messengerKind,
    eventType: ['$.kind', '$.object'],
    deliveryId: ['$.entry[*].messaging[*].message.mid'],
    accepted: { status: 200 },
    notes: 'A request may hold several messages of several people: they are one event.',
  },
  {
    source: 'metronome',
    name: 'Metronome',
    description: 'Metronome usage-billing notifications.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.metronome.com/api-reference/webhooks/',
    configKeys: [SECRET],
    verify: {
      kind: 'any',
      of: [metronomeSignature('X-Metronome-Date'), metronomeSignature('Date')],
    },
    eventType: ['$.type'],
    deliveryId: ['$.id'],
  },
]

/** Older deliveries have the date in the header of that name only. */
function metronomeSignature(header: string): HmacRule {
  return {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'Metronome-Webhook-Signature' } },
    signed: '{t}\n{body}',
    timestamp: { at: { header }, unit: 'http-date', toleranceSeconds: 300 },
  }
}
