/** The platforms from SonarQube Server / SonarQube Cloud to Squarespace. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import {
  PUBLIC_KEY,
  REQUIRED_PASSWORD,
  REQUIRED_USERNAME,
  SECRET,
  URL_TOKEN,
  WEBHOOK_URL,
} from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const soSq: readonly Preset[] = [
  {
    source: 'sonarqube',
    name: 'SonarQube Server / SonarQube Cloud (SonarCloud)',
    description: 'Sonar analysis-finished (quality gate) webhooks with an optional HMAC signature.',
    mode: 'hmac',
    docs: 'https://docs.sonarsource.com/sonarqube-server/latest/project-administration/webhooks/',
    configKeys: [SECRET],
    verify: bodyHmac('X-Sonar-Webhook-HMAC-SHA256'),
    eventType: ['$.qualityGate.status', '$.status'],
    deliveryId: ['$.taskId'],
    notes: 'Without a secret Sonar signs nothing and is refused.',
  },
  {
    source: 'sourcehut',
    name: 'SourceHut',
    description: 'SourceHut (sr.ht) webhooks, legacy REST and GraphQL.',
    mode: 'asymmetric',
    docs: 'https://man.sr.ht/api-conventions.md#webhooks',
    configKeys: [
      {
        ...PUBLIC_KEY,
        required: false,
        meaning: 'Of an installation of your own, base64. Default: that of sr.ht.',
      },
    ],
    verify: {
      kind: 'asymmetric',
      algorithm: 'ed25519',
      encoding: 'base64',
      signature: { at: { header: 'X-Payload-Signature' } },
      signed: '{body}{header:X-Payload-Nonce}',
      key: { config: 'public_key', or: { pem: 'uX7KWyyDNMaBma4aVbJ/cbUQpdjqczuCyK/HxzV/u+4=' } },
    },
    eventType: ['$.headers.X-Webhook-Event'],
    deliveryId: ['$.headers.X-Webhook-Delivery'],
    notes:
      'The key is the same for all of sr.ht: the signature tells that it sent this, not for whom.',
  },
  {
    source: 'sparkpost',
    name: 'SparkPost',
    description: 'SparkPost event webhooks.',
    mode: 'basic_auth',
    docs: 'https://developers.sparkpost.com/api/webhooks/',
    configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
    verify: BASIC,
    handshakes: [
      {
        // The test batch when a webhook is made or changed.
        signed: true,
        when: {
          method: 'POST',
          hasNot: [{ json: '$[*].msys.*.type' }, { header: 'X-MessageSystems-Batch-ID' }],
        },
        answer: { status: 200 },
      },
    ],
    eventType: ['$[*].msys.*.type'],
    deliveryId: ['$.headers.X-MessageSystems-Batch-ID'],
    accepted: { status: 200 },
    notes:
      'Choose Basic authentication for the webhook; its OAuth 2.0 is not checked. A request holds a batch of events: they are one event here, named by the first.',
  },
  {
    source: 'split',
    name: 'Split / Harness FME',
    description:
      'Split (Harness Feature Management) audit-log and admin-audit-log webhooks; no signature.',
    mode: 'token',
    docs: 'https://developer.harness.io/docs/feature-management-experimentation/api/webhook/audit-logs',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    eventType: ['$.auditLogType', '$.type'],
    deliveryId: ['{$.name}:{$.changeNumber}', '$.id'],
    accepted: { status: 200 },
    notes: 'Split signs nothing: whoever knows the URL with its token is believed.',
  },
  {
    source: 'square',
    name: 'Square',
    description: 'Seller events signed over the notification URL followed by the body',
    mode: 'provider_specific',
    docs: 'https://developer.squareup.com/docs/webhooks/step3validate',
    configKeys: [
      { ...SECRET, meaning: 'The signature key of the webhook subscription.' },
      WEBHOOK_URL,
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { at: { header: 'x-square-hmacsha256-signature' } },
      signed: '{url}{body}',
    },
    eventType: ['$.type'],
    deliveryId: ['$.event_id'],
    notes: 'The URL is signed exactly as it stands in the subscription.',
  },
  {
    source: 'squarespace',
    name: 'Squarespace',
    description: 'Squarespace Commerce and extension webhook notifications.',
    mode: 'hmac',
    docs: 'https://developers.squarespace.com/webhooks/verifying-notifications',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'Squarespace-Signature' } },
      signed: '{body}',
      key: { config: 'secret', as: 'hex' },
    },
    eventType: ['$.topic'],
    deliveryId: ['$.id'],
  },
]
