/** The platforms from Microsoft Graph change notifications to Mux. */
import { verifyMicrosoftGraph } from '../platforms/microsoft-graph.verifier.ts'
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import {
  REQUIRED_PASSWORD,
  REQUIRED_USERNAME,
  SECRET,
  SHARED_SECRET,
  URL_TOKEN,
  WEBHOOK_URL,
} from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const miMu: readonly Preset[] = [
  {
    source: 'microsoft-graph',
    name: 'Microsoft Graph change notifications',
    description:
      'Change notifications that repeat your clientState; rich notifications add signed JWTs',
    mode: 'token',
    docs: 'https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks',
    configKeys: [
      {
        ...SHARED_SECRET,
        meaning: 'The clientState that you gave the subscription, at most 128 characters.',
      },
      {
        name: 'client_id',
        secret: false,
        required: false,
        meaning: 'The app’s id: with it the tokens of rich notifications are checked.',
      },
      {
        name: 'tenant_id',
        secret: false,
        required: false,
        meaning: 'The tenant that those tokens must be of.',
      },
    ],
    verify: { kind: 'odd', verify: verifyMicrosoftGraph, usesJsonBody: true },
    handshakes: [
      {
        when: { method: 'POST', has: [{ query: 'validationToken' }], emptyBody: true },
        echo: { query: 'validationToken' },
        as: { text: true },
      },
    ],
    eventType: ['$.value[*].changeType', '$.value[*].lifecycleEvent'],
    deliveryId: [],
    notes:
      'Basic notifications are not signed. What a rich notification has encrypted goes on as it came; decrypt it at your side.',
  },
  {
    source: 'microsoft-teams',
    name: 'Microsoft Teams (Outgoing Webhook)',
    description: 'Messages that mention a Teams outgoing webhook, signed with a base64 token',
    mode: 'hmac',
    docs: 'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook',
    configKeys: [
      { ...SECRET, meaning: 'The security token that Teams shows once, when the webhook is made.' },
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { at: { header: 'Authorization' }, format: { kind: 'bare', prefix: 'HMAC ' } },
      signed: '{body}',
      key: { config: 'secret', as: 'base64' },
    },
    eventType: ['$.type'],
    deliveryId: ['$.id'],
    accepted: {
      status: 200,
      type: 'application/json',
      body: '{"type":"message","text":"Received."}',
    },
    notes: 'Teams waits for a reply and shows it in the channel: it is always the word Received.',
  },
  {
    source: 'miro',
    name: 'Miro',
    description: 'Miro board webhooks (experimental REST API).',
    mode: 'token',
    docs: 'https://developers.miro.com/docs/webhooks',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    handshakes: [
      {
        when: {
          method: 'POST',
          has: [{ json: '$.challenge' }],
          hasNot: [{ json: '$.event.type' }],
        },
        echo: { json: '$.challenge' },
        as: { json: 'challenge' },
      },
    ],
    eventType: ['$.event.type', '$.type'],
    deliveryId: [],
    notes:
      'Miro signs nothing. It has announced the end of these experimental webhooks for December 2025.',
  },
  {
    source: 'mixpanel',
    name: 'Mixpanel',
    description: 'Mixpanel cohort-sync custom webhooks.',
    mode: 'basic_auth',
    docs: 'https://docs.mixpanel.com/docs/cohort-sync/webhooks',
    configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
    verify: BASIC,
    eventType: ['$.action'],
    deliveryId: [],
    notes:
      'Basic authentication is an option of Mixpanel’s connection: switch it on there. Nothing is signed.',
  },
  {
    source: 'mlflow',
    name: 'MLflow',
    description: 'MLflow OSS model registry and prompt webhooks.',
    mode: 'provider_specific',
    docs: 'https://mlflow.org/docs/latest/ml/webhooks/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: {
        at: { header: 'X-MLflow-Signature' },
        format: { kind: 'list', separator: ' ', prefix: 'v1,' },
      },
      signed: '{header:X-MLflow-Delivery-Id}.{t}.{body}',
      timestamp: { at: { header: 'X-MLflow-Timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['{$.entity}.{$.action}'],
    deliveryId: ['$.headers.X-MLflow-Delivery-Id'],
    notes:
      'For MLflow as open source, with a database behind it; managed services may not have webhooks.',
  },
  {
    source: 'modern-treasury',
    name: 'Modern Treasury',
    description: 'Modern Treasury payment and ledger webhooks.',
    mode: 'hmac',
    docs: 'https://docs.moderntreasury.com/platform/docs/webhooks-overview',
    configKeys: [SECRET],
    verify: bodyHmac('X-Signature'),
    eventType: ['{$.headers.X-Topic}.{$.event}', '$.headers.X-Topic'],
    deliveryId: ['$.headers.X-Webhook-ID'],
  },
  {
    source: 'mollie',
    name: 'Mollie (next-gen webhooks)',
    description: 'Subscription-based Mollie webhooks signed over the raw body',
    mode: 'hmac',
    docs: 'https://docs.mollie.com/reference/webhooks-new',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'X-Mollie-Signature', repeated: true },
        format: { kind: 'list', separator: ',', prefix: 'sha256=' },
      },
      signed: '{body}',
    },
    eventType: ['$.type'],
    deliveryId: ['$.id'],
    notes:
      'For a day after the secret is changed Mollie sends two signatures, of the old and of the new one: either is enough.',
  },
  {
    source: 'mollie-classic',
    name: 'Mollie (classic)',
    description: 'Per-payment webhook calls that only carry a resource id; never signed',
    mode: 'none',
    docs: 'https://docs.mollie.com/reference/webhooks',
    configKeys: [],
    verify: { kind: 'none' },
    eventType: [],
    deliveryId: [],
    neverDeduplicated: true,
    accepted: { status: 200 },
    notes:
      'Nothing is signed, and a call says no more than the id of a payment: anybody who knows the URL can send one. Read the payment from Mollie’s API and believe only that. Repeats are not recognized, for each change of a payment is announced alike.',
  },
  {
    source: 'monday',
    name: 'monday.com',
    description:
      'Board webhooks; app-created ones carry a JWT, others are unsigned, all need a challenge echo',
    mode: 'jwt',
    docs: 'https://developer.monday.com/apps/docs/integration-authorization',
    configKeys: [
      {
        ...SECRET,
        meaning:
          'The app’s signing secret; its client secret for webhooks of the app’s life cycle.',
      },
      WEBHOOK_URL,
    ],
    verify: {
      kind: 'jwt',
      at: { header: 'Authorization' },
      scheme: 'Bearer ',
      optionalScheme: true,
      algorithms: ['HS256'],
      key: { config: 'secret', as: 'utf8' },
      audience: 'receiver-url',
      // Their tokens live five minutes, and clocks differ by one; one without an end would live for ever.
      maxAgeSeconds: 360,
    },
    handshakes: [
      {
        when: {
          method: 'POST',
          has: [{ json: '$.challenge' }],
          hasNot: [{ json: '$.event.type' }],
        },
        echo: { json: '$.challenge' },
        as: { json: 'challenge' },
      },
    ],
    eventType: ['$.event.type', '$.type'],
    deliveryId: ['$.event.triggerUuid'],
    notes:
      'Webhooks made by hand or with a personal token carry nothing to check and are refused: make them with an app. The token is for the sender, not for the body.',
  },
  {
    source: 'moralis',
    name: 'Moralis',
    description: 'Moralis Streams webhooks.',
    mode: 'provider_specific',
    docs: 'https://docs.moralis.com/streams-api/evm/stream-security/webhook-security',
    configKeys: [
      { ...SECRET, meaning: 'The streams secret in the account’s settings, or the API key.' },
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'keccak256',
      bareHash: true,
      encoding: 'hex',
      signature: { at: { header: 'x-signature' }, format: { kind: 'bare', prefix: '0x' } },
      signed: '{body}{key}',
    },
    handshakes: [
      {
        // The test when a stream is made or changed.
        when: {
          method: 'POST',
          equals: [
            { at: { json: '$.streamId' }, text: '' },
            { at: { json: '$.chainId' }, text: '' },
            { at: { json: '$.block.hash' }, text: '' },
          ],
        },
        answer: { status: 200 },
      },
    ],
    eventType: ['$.tag', '$.streamId'],
    deliveryId: ['{$.streamId}:{$.block.hash}:{$.confirmed}'],
    accepted: { status: 200 },
  },
  {
    source: 'mux',
    name: 'Mux',
    description: 'Mux Video and Data webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://www.mux.com/docs/core/verify-webhook-signatures',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'Mux-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
      },
      signed: '{t}.{body}',
      timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['$.type'],
    deliveryId: ['$.id'],
  },
]
