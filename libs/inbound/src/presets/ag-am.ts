/** The platforms from Agora to Amazon Sns. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { confirmSubscription, snsVerifier } from '../schemes/sns.ts'
import { OPTIONAL_SECRET, PASSWORD, SECRET, USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const agAm: readonly Preset[] = [
  {
    source: 'agora',
    name: 'Agora',
    description: 'Agora notification center (RTC, cloud recording) callbacks.',
    mode: 'hmac',
    docs: 'https://docs.agora.io/en/video-calling/advanced-features/receive-notifications',
    configKeys: [SECRET],
    verify: {
      kind: 'any',
      of: [bodyHmac('Agora-Signature-V2'), bodyHmac('Agora-Signature', { algorithm: 'sha1' })],
    },
    eventType: ['$.eventType'],
    deliveryId: ['$.noticeId'],
    accepted: { status: 200 },
  },
  {
    source: 'aircall',
    name: 'Aircall',
    description: 'Aircall call, contact, user and number events.',
    mode: 'token',
    docs: 'https://developer.aircall.io/tutorials/webhooks-guide/',
    configKeys: [
      {
        name: 'token',
        secret: true,
        required: true,
        meaning: 'The token that Aircall answered when the webhook was made.',
      },
    ],
    verify: { kind: 'token', at: { json: '$.token' }, config: 'token' },
    eventType: ['$.event'],
    deliveryId: ['{$.data.id}:{$.event}:{$.timestamp}'],
    notes: 'Aircall signs nothing: a token in the body says who sends.',
  },
  {
    source: 'airtable',
    name: 'Airtable',
    description: 'Base change pings signed with a base64 MAC secret',
    mode: 'hmac',
    docs: 'https://airtable.com/developers/web/api/webhooks-overview',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'X-Airtable-Content-MAC' },
        format: { kind: 'bare', prefix: 'hmac-sha256=' },
      },
      signed: '{body}',
      key: { config: 'secret', as: 'base64' },
    },
    eventType: [],
    deliveryId: [],
    notes:
      'Enter macSecretBase64 from the answer to the webhook’s creation. A ping says only that a base has changed: ask Airtable for the payloads. Airtable forgets a webhook after seven days unless it is refreshed.',
  },
  {
    source: 'alchemy',
    name: 'Alchemy',
    description: 'Alchemy Notify (address activity, mined, NFT, custom) webhooks.',
    mode: 'hmac',
    docs: 'https://www.alchemy.com/docs/reference/notify-api-quickstart#webhook-signature--security',
    configKeys: [SECRET],
    verify: bodyHmac('X-Alchemy-Signature'),
    eventType: ['$.type'],
    deliveryId: ['$.id'],
    notes: 'Enter the signing key whole, with its whsec_.',
  },
  {
    source: 'alloy',
    name: 'Alloy',
    description:
      'Alloy identity-decisioning webhooks with basic auth, OAuth2 or (on request) an HMAC in Authorization.',
    mode: 'hmac',
    docs: 'https://developer.alloy.com/public/docs/hash-based-message-authentication-code-hmac',
    configKeys: [OPTIONAL_SECRET, USERNAME, PASSWORD],
    verify: {
      kind: 'any',
      of: [
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'base64',
          signature: { at: { header: 'Authorization' } },
          signed: '{body}',
          needs: ['secret'],
        },
        BASIC,
      ],
    },
    eventType: ['$.type'],
    deliveryId: ['$.request_token'],
    notes:
      'Alloy signs on request; otherwise it sends a user name and a password. Set what Alloy has set up for you.',
  },
  {
    source: 'amazon-sns',
    name: 'Amazon Sns',
    description:
      'Amazon SNS HTTPS subscriptions (used by Circle Mint, SES and other AWS notifications).',
    mode: 'asymmetric',
    docs: 'https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html',
    configKeys: [
      {
        name: 'topic_arn',
        secret: false,
        required: true,
        meaning:
          'The ARN of the topic that may send here: Amazon signs for everybody’s topics. Several for several topics.',
      },
    ],
    verify: { kind: 'odd', verify: snsVerifier(3600), usesJsonBody: true },
    handshakes: [
      {
        when: {
          method: 'POST',
          equals: [{ at: { json: '$.Type' }, text: 'SubscriptionConfirmation' }],
        },
        signed: true,
        odd: confirmSubscription,
      },
    ],
    eventType: ['$.headers.x-amz-sns-message-type', '$.Type'],
    deliveryId: ['$.headers.x-amz-sns-message-id', '$.MessageId'],
    notes:
      'The subscription is confirmed by itself once its topic is the configured one. Leave raw message delivery off: it drops the signature. A message that is older than an hour is refused.',
  },
]
