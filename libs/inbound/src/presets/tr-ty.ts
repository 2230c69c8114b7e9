/** The platforms from Travis CI to Typeform. */
import { twilioContent } from '../platforms/twilio.verifier.ts'
import { CRC_ALPHABET, twitterContent } from '../odd/twitter.ts'
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import {
  PUBLIC_KEY,
  REQUIRED_PASSWORD,
  REQUIRED_USERNAME,
  SECRET,
  WEBHOOK_URL,
} from '../schemes/config-keys.ts'
import { withKind } from '../schemes/member-named.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const trTy: readonly Preset[] = [
  {
    source: 'travis-ci',
    name: 'Travis CI',
    description: "Travis CI build notifications posted as a form and signed with Travis's RSA key.",
    mode: 'asymmetric',
    docs: 'https://docs.travis-ci.com/user/notifications/#verifying-webhook-requests',
    configKeys: [
      {
        ...PUBLIC_KEY,
        required: false,
        meaning:
          'Of an Enterprise installation, from its API: /config, config.notifications.webhook.public_key. Default: what the API host publishes.',
      },
      {
        name: 'api_host',
        secret: false,
        required: false,
        values: ['api.travis-ci.com'],
        meaning: 'The host whose published key is used.',
      },
    ],
    verify: {
      kind: 'asymmetric',
      algorithm: 'rsa-sha1',
      encoding: 'base64',
      signature: { at: { header: 'Signature' } },
      signed: '{form:payload}',
      key: {
        config: 'public_key',
        or: {
          publishedAt: 'https://api.travis-ci.com/config',
          path: '$.config.notifications.webhook.public_key',
        },
      },
    },
    eventType: ['$.state', '$.status_message'],
    deliveryId: [],
    notes:
      'The key is the same for all of Travis CI: the signature tells that it sent this, not for which repository.',
  },
  {
    source: 'treasury-prime',
    name: 'Treasury Prime',
    description: 'Treasury Prime account and transaction webhooks.',
    mode: 'basic_auth',
    docs: 'https://developers.treasuryprime.com/docs/webhooks',
    configKeys: [
      { ...REQUIRED_USERNAME, meaning: 'The basic_user that you gave the webhook.' },
      { ...REQUIRED_PASSWORD, meaning: 'Its basic_secret.' },
    ],
    verify: BASIC,
    eventType: ['$.event'],
    deliveryId: [],
    neverDeduplicated: true,
    notes:
      'Nothing is signed. A webhook names what has changed and no more, alike for each change: repeats are not recognized.',
  },
  {
    source: 'trello',
    name: 'Trello',
    description: 'Board/card actions signed over the body followed by the callback URL',
    mode: 'provider_specific',
    docs: 'https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/',
    configKeys: [
      { ...SECRET, meaning: 'The application’s (OAuth) secret; not its API key, nor a token.' },
      WEBHOOK_URL,
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha1',
      encoding: 'base64',
      signature: { at: { header: 'X-Trello-Webhook' } },
      signed: '{body}{url}',
    },
    handshakes: [{ when: { method: 'HEAD' }, answer: { status: 200 } }],
    eventType: ['$.action.type'],
    deliveryId: ['$.action.id'],
    accepted: { status: 200 },
    notes: 'The URL is signed exactly as it was given when the webhook was made.',
  },
  {
    source: 'twilio',
    name: 'Twilio',
    description:
      'Voice, messaging and other callbacks; signature covers the exact URL plus sorted POST fields, or the URL with a body hash for JSON',
    mode: 'provider_specific',
    docs: 'https://www.twilio.com/docs/usage/webhooks/webhooks-security',
    configKeys: [
      { ...SECRET, meaning: 'The account’s primary Auth Token; not an API key’s secret.' },
      WEBHOOK_URL,
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha1',
      encoding: 'base64',
      signature: { at: { header: 'X-Twilio-Signature' } },
      signed: '{url}, and name and value of each form field, sorted by name',
      content: twilioContent,
    },
    eventType: [
      '$.StatusCallbackEvent',
      '$.MessageStatus',
      '$.SmsStatus',
      '$.CallStatus',
      '$.EventType',
    ],
    deliveryId: ['$.headers.I-Twilio-Idempotency-Token'],
    accepted: { status: 200, type: 'text/xml', body: '<Response/>' },
    notes:
      'Calls and messages get an empty Response as their answer: no reply is sent, and a call ends. No time is signed, so Twilio names no age that is too old.',
  },
  {
    source: 'twitch',
    name: 'Twitch',
    description: 'Twitch EventSub webhook notifications.',
    mode: 'hmac_timestamped',
    docs: 'https://dev.twitch.tv/docs/eventsub/handling-webhook-events/',
    configKeys: [
      {
        ...SECRET,
        meaning: 'The secret that you gave the subscription: 10 to 100 ASCII characters.',
      },
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'Twitch-Eventsub-Message-Signature' },
        format: { kind: 'bare', prefix: 'sha256=' },
      },
      signed: '{header:Twitch-Eventsub-Message-Id}{t}{body}',
      timestamp: {
        at: { header: 'Twitch-Eventsub-Message-Timestamp' },
        unit: 'iso8601',
        toleranceSeconds: 600,
      },
    },
    handshakes: [
      {
        signed: true,
        when: {
          method: 'POST',
          equals: [
            {
              at: { header: 'Twitch-Eventsub-Message-Type' },
              text: 'webhook_callback_verification',
            },
          ],
        },
        echo: { json: '$.challenge' },
        as: { text: true },
      },
    ],
    eventType: ['$.subscription.type', '$.headers.Twitch-Eventsub-Subscription-Type'],
    deliveryId: ['$.headers.Twitch-Eventsub-Message-Id'],
    notes:
      'A revoked subscription is an event too, of the same type, with the reason in $.subscription.status.',
  },
  {
    source: 'twitter',
    name: 'X (Twitter)',
    description: 'X (Twitter) Account Activity and other X API webhooks.',
    mode: 'hmac',
    docs: 'https://docs.x.com/x-api/webhooks/quickstart',
    configKeys: [
      {
        name: 'consumer_secret',
        secret: true,
        required: true,
        meaning: 'The app’s consumer secret, also named API secret key.',
      },
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: {
        at: { header: 'x-twitter-webhooks-signature' },
        format: { kind: 'bare', prefix: 'sha256=' },
      },
      signed: '{body}',
      content: twitterContent,
      key: { config: 'consumer_secret' },
    },
    handshakes: [
      {
        when: { method: 'GET', has: [{ query: 'crc_token' }] },
        echo: { query: 'crc_token' },
        as: {
          hash: 'response_token',
          key: 'consumer_secret',
          encoding: 'base64',
          prefix: 'sha256=',
          alphabet: CRC_ALPHABET,
        },
      },
    ],
    unpack: (document) => withKind(document, (name) => name.endsWith('_events')),
    eventType: ['$.kind'],
    deliveryId: [],
    accepted: { status: 200 },
  },
  {
    source: 'typeform',
    name: 'Typeform',
    description: 'Form responses signed over the raw body',
    mode: 'hmac',
    docs: 'https://www.typeform.com/developers/webhooks/secure-your-webhooks/',
    configKeys: [SECRET],
    verify: bodyHmac('Typeform-Signature', { encoding: 'base64', prefix: 'sha256=' }),
    eventType: ['$.event_type'],
    deliveryId: ['$.event_id'],
  },
]
