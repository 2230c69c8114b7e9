/** Signers of platforms whose names begin with st to t. */
import { createHash } from 'node:crypto'
import { asymmetric } from './asymmetric.fixture.ts'
import { travis, twilio } from './fields.fixture.ts'
import { pem, rawKey } from './keys.fixture.ts'
import {
  basic,
  hmac,
  mac,
  NEVER,
  namedHeader,
  type Signer,
  standard,
  token,
  urlToken,
} from './signer.fixture.ts'

const stytch = {
  workspace_id: 'w',
  action: 'CREATE',
  event_id: 'event-1',
  object_type: 'user',
  source: 'DIRECT',
  id: 'user-1',
  timestamp: '2023-11-14T22:13:20Z',
}
const sumsub = {
  applicantId: '5cb5',
  inspectionId: 'i',
  correlationId: 'req-1',
  type: 'applicantReviewed',
  createdAtMs: '2023-11-14 22:13:20.000',
}
/** Of `<applicantId>:<type>:<createdAtMs>`, which has a space in it. */
const SUMSUB = createHash('sha256')
  .update('5cb5:applicantReviewed:2023-11-14 22:13:20.000')
  .digest('hex')
const twitch = {
  subscription: { id: 'f1c2', type: 'channel.follow', version: '2' },
  event: { user_id: '1' },
}
const twitchHeaders = {
  'Twitch-Eventsub-Message-Id': 'e76c6bd4-55c9-4987-8304-da1588d8988b',
  'Twitch-Eventsub-Subscription-Type': 'channel.follow',
}
const hookBody = { user: { id: '1' }, email_data: { email_action_type: 'signup' } }
const statuspage = { meta: { documentation: 'd' }, page: { id: 'p' } }

export const s: readonly Signer[] = [
  urlToken({
    source: 'statuspage',
    body: {
      ...statuspage,
      incident: { id: 'lbkhbwn21v5q', incident_updates: [{ id: 'drfcwbnpxnr6' }] },
    },
    type: 'incident',
    id: 'drfcwbnpxnr6',
  }),
  urlToken({
    source: 'statuspage',
    variant: 'of a component',
    body: {
      ...statuspage,
      component_update: { id: 'k7730b5v92bv', new_status: 'operational' },
      component: { id: 'rb5wq1dczvbm' },
    },
    type: 'component_update',
    id: 'k7730b5v92bv',
  }),
  token({
    source: 'stigg',
    header: 'Stigg-Webhooks-Secret',
    body: { type: 'customer.created', messageId: 'm-1', entityId: 'e' },
    type: 'customer.created',
    id: 'm-1',
  }),
  mac({
    source: 'storyblok',
    header: 'webhook-signature',
    digest: ['sha1', 'hex'],
    body: { text: 't', action: 'published', space_id: 1, story_id: 2, full_slug: 'home' },
    type: 'published',
  }),
  namedHeader({
    source: 'strapi',
    headers: { 'X-Strapi-Event': 'entry.create' },
    body: {
      event: 'entry.create',
      createdAt: '2023-11-14T22:13:20.000Z',
      model: 'm',
      entry: { id: 1 },
    },
    type: 'entry.create',
  }),
  token({
    source: 'strapi',
    variant: 'by authorization',
    header: 'Authorization',
    headers: { 'X-Strapi-Event': 'entry.create' },
    body: { event: 'entry.create', entry: { id: 1 } },
    type: 'entry.create',
  }),
  mac({
    source: 'stripe',
    header: 'Stripe-Signature',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_RdvaYFYUXuIFuEbvZHwMfYFhUf7aMYjY'],
    signed: (body, t) => `${t}.${body}`,
    show: (sig, t) => `t=${t},v1=${sig},v0=00`,
    time: { unit: 's', tolerance: 300 },
    body: {
      id: 'evt_123',
      object: 'event',
      type: 'customer.created',
      data: { object: { id: 'cus_123' } },
    },
    type: 'customer.created',
    id: 'evt_123',
  }),
  standard({ source: 'stytch', names: 'svix', body: stytch, type: 'DIRECT.user.CREATE' }),
  mac({
    source: 'sumsub',
    header: 'X-Payload-Digest',
    headers: { 'X-Payload-Digest-Alg': 'HMAC_SHA256_HEX' },
    body: sumsub,
    type: 'applicantReviewed',
    id: SUMSUB,
  }),
  mac({
    source: 'sumsub',
    variant: 'of SHA-512',
    header: 'X-Payload-Digest',
    digest: ['sha512', 'hex'],
    config: { algorithm: 'sha512' },
    headers: { 'X-Payload-Digest-Alg': 'HMAC_SHA512_HEX' },
    body: sumsub,
    type: 'applicantReviewed',
    id: SUMSUB,
  }),
  {
    ...standard({ source: 'supabase-auth-hook', body: hookBody, type: 'signup' }),
    ...commaSecrets(standard({ source: 'supabase-auth-hook', body: hookBody })),
    deliveryId: null,
  },
  namedHeader({
    source: 'supabase-database',
    body: { type: 'INSERT', table: 't', schema: 'public', record: { id: 1 }, old_record: null },
    type: 't.INSERT',
  }),
  token({
    source: 'supabase-database',
    variant: 'by authorization',
    header: 'Authorization',
    body: { type: 'INSERT', record: { id: 1 } },
    type: 'INSERT',
  }),
  surveyMonkey(),
  standard({
    source: 'svix',
    names: 'svix',
    body: { type: 'invoice.paid', id: '1' },
    type: 'invoice.paid',
  }),
  standard({
    source: 'svix',
    variant: 'by the other names',
    body: { type: 'invoice.paid', id: '1' },
    type: 'invoice.paid',
  }),
  mac({
    source: 'synctera',
    header: 'Synctera-Signature',
    signed: (body, t) => `${t}.${body}`,
    time: { unit: 's', header: 'Request-Timestamp', tolerance: 300 },
    body: { id: '8d7b', type: 'ACCOUNT.CREATED', event_time: '2023-11-14T22:13:20Z' },
    type: 'ACCOUNT.CREATED',
    id: '8d7b',
  }),
  mac({
    source: 'synctera',
    variant: 'while it rolls',
    header: 'Synctera-Signature',
    show: (sig) => `00ff.${sig}`,
    signed: (body, t) => `${t}.${body}`,
    time: { unit: 's', header: 'Request-Timestamp', tolerance: 300 },
    body: { id: '8d7b', type: 'ACCOUNT.CREATED' },
    type: 'ACCOUNT.CREATED',
    id: '8d7b',
  }),
]

/** As the dashboard shows them. */
function commaSecrets(base: Signer): Pick<Signer, 'config'> {
  return { config: (secret) => base.config(`v1,${secret}`) }
}

function surveyMonkey(): Signer {
  const base = mac({
    source: 'surveymonkey',
    header: 'Sm-Signature',
    digest: ['sha1', 'base64'],
    headers: { 'Sm-Apikey': 'client-1' },
    body: {
      name: 'My Webhook',
      filter_type: 'survey',
      event_type: 'response_completed',
      event_id: '123456789',
    },
    type: 'response_completed',
    id: '123456789',
    handshakes: [
      {
        of: 'the URL',
        request: { method: 'HEAD', headers: {}, body: '' },
        answer: { status: 200 },
      },
    ],
  })
  return {
    ...base,
    config: (secret) => ({ client_id: 'client-1', secret }),
    pinned: { client_id: 'client-1' },
    sign: (ask) => {
      const sealed = ask.touch(hmac(`client-1&${ask.secret}`, ask.body, ['sha1', 'base64']))
      return {
        body: ask.body,
        headers: {
          'Content-Type': 'application/json',
          'Sm-Apikey': 'client-1',
          'Sm-Signature': sealed,
        },
      }
    },
  }
}

export const t: readonly Signer[] = [
  mac({
    source: 'tally',
    header: 'Tally-Signature',
    digest: ['sha256', 'base64'],
    body: {
      eventId: 'a4cb',
      eventType: 'FORM_RESPONSE',
      createdAt: '2023-11-14T22:13:20.000Z',
      data: {},
    },
    type: 'FORM_RESPONSE',
    id: 'a4cb',
  }),
  mac({
    source: 'tatum',
    header: 'x-payload-hash',
    digest: ['sha512', 'base64'],
    body: { address: '0x1', txId: '0x2', subscriptionType: 'ADDRESS_EVENT', amount: '1' },
    type: 'ADDRESS_EVENT',
    id: '0x2:0x1',
  }),
  token({
    source: 'telegram',
    header: 'X-Telegram-Bot-Api-Secret-Token',
    body: { update_id: 10000, message: { message_id: 1365, text: '/start' } },
    type: 'message',
    id: '10000',
  }),
  asymmetric({
    source: 'telnyx',
    kind: 'ed25519',
    hash: null,
    shown: (name) => rawKey(name).toString('base64'),
    header: 'telnyx-signature-ed25519',
    signed: (body, at) => `${at}|${body}`,
    time: { unit: 's', header: 'telnyx-timestamp', tolerance: 300 },
    body: {
      data: { event_type: 'message.finalized', id: '0ccc7b54', record_type: 'event', payload: {} },
    },
    type: 'message.finalized',
    id: '0ccc7b54',
  }),
  mac({
    source: 'ticket-tailor',
    header: 'Tickettailor-Webhook-Signature',
    signed: (body, at) => `${at}${body}`,
    show: (sig, at) => `t=${at},v1=${sig}`,
    time: { unit: 's', tolerance: 300 },
    body: { id: 'wh_1072', created_at: '2023-11-14 22:13:20', event: 'ORDER.CREATED', payload: {} },
    type: 'ORDER.CREATED',
    id: 'wh_1072',
  }),
  mac({
    source: 'tiktok',
    header: 'TikTok-Signature',
    signed: (body, at) => `${at}.${body}`,
    show: (sig, at) => `t=${at},s=${sig}`,
    time: { unit: 's', tolerance: 300 },
    body: {
      client_key: 'bwo2m45353a6k85',
      event: 'video.publish.completed',
      create_time: 1700000000,
      user_openid: 'act.1',
      content: '{}',
    },
    type: 'video.publish.completed',
  }),
  mac({
    source: 'tiktok-shop',
    header: 'Authorization',
    config: { app_key: 'key1' },
    pinned: { app_key: 'key1' },
    signed: (body) => `key1${body}`,
    body: {
      type: 1,
      tts_notification_id: '7327112393057371910',
      shop_id: '7',
      timestamp: 1700000000,
      data: {},
    },
    type: '1',
    id: '7327112393057371910',
  }),
  travis((name) => ({ public_key: pem(name) })),
  travis(() => ({}), {
    'https://api.travis-ci.com/config': JSON.stringify({
      config: { notifications: { webhook: { public_key: pem('rsa:1') } } },
    }),
  }),
  basic({
    source: 'treasury-prime',
    body: {
      event: 'ach.update',
      op: 'update',
      id: 'ach_1',
      url: 'https://api.treasuryprime.com/ach/ach_1',
    },
    type: 'ach.update',
    id: NEVER,
  }),
  mac({
    source: 'trello',
    header: 'X-Trello-Webhook',
    digest: ['sha1', 'base64'],
    signed: (body, _, url) => `${body}${url}`,
    coversUrl: true,
    body: { action: { id: '51f9424bcd6e040f3c002412', type: 'updateCard' }, model: {} },
    type: 'updateCard',
    id: '51f9424bcd6e040f3c002412',
    handshakes: [
      {
        of: 'the URL',
        request: { method: 'HEAD', headers: {}, body: '' },
        answer: { status: 200 },
      },
    ],
  }),
  ...twilio,
  mac({
    source: 'twitch',
    header: 'Twitch-Eventsub-Message-Signature',
    headers: { ...twitchHeaders, 'Twitch-Eventsub-Message-Type': 'notification' },
    signed: (body, at) => `${twitchHeaders['Twitch-Eventsub-Message-Id']}${at}${body}`,
    show: (sig) => `sha256=${sig}`,
    time: { unit: 'iso', header: 'Twitch-Eventsub-Message-Timestamp', tolerance: 600 },
    body: twitch,
    type: 'channel.follow',
    id: twitchHeaders['Twitch-Eventsub-Message-Id'],
    handshakes: [
      {
        of: 'the callback',
        signed: true,
        request: {
          headers: { 'Twitch-Eventsub-Message-Type': 'webhook_callback_verification' },
          body: '{"challenge":"pogchamp-kappa-360noscope-vohiyo","subscription":{"id":"f1c2","type":"channel.follow"}}',
        },
        answer: { status: 200, body: 'pogchamp-kappa-360noscope-vohiyo' },
      },
    ],
  }),
  mac({
    source: 'twitter',
    header: 'x-twitter-webhooks-signature',
    secretIn: 'consumer_secret',
    digest: ['sha256', 'base64'],
    show: (sig) => `sha256=${sig}`,
    body: { for_user_id: '2244994945', tweet_create_events: [{ id_str: '1' }] },
    type: 'tweet_create_events',
    handshakes: [
      {
        of: 'the secret',
        request: { method: 'GET', url: '?crc_token=challenge_string', headers: {}, body: '' },
        config: { consumer_secret: 'consumer' },
        answer: {
          status: 200,
          body: JSON.stringify({
            response_token: `sha256=${hmac('consumer', 'challenge_string', ['sha256', 'base64'])}`,
          }),
        },
      },
    ],
  }),
  mac({
    source: 'typeform',
    header: 'Typeform-Signature',
    digest: ['sha256', 'base64'],
    show: (sig) => `sha256=${sig}`,
    body: {
      event_id: 'LtWXD3crgy',
      event_type: 'form_response',
      form_response: { form_id: 'lT4Z3j' },
    },
    type: 'form_response',
    id: 'LtWXD3crgy',
  }),
]
