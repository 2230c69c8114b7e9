/** The platforms from Standard Webhooks to Stytch. */
import type { AsymmetricRule, Preset } from '../preset.ts'
import {
  HEADER_NAME,
  OPTIONAL_SECRET,
  PUBLIC_KEY,
  SECRET,
  SHARED_SECRET,
  URL_TOKEN,
} from '../schemes/config-keys.ts'
import { withKind } from '../schemes/member-named.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'
import { namedHeader } from '../schemes/static-credentials.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'

/** Of senders that sign with a key of their own. */
const STANDARD_WEBHOOKS_ED25519: AsymmetricRule = {
  kind: 'asymmetric',
  algorithm: 'ed25519',
  encoding: 'base64',
  signature: {
    at: { header: 'webhook-signature' },
    format: { kind: 'list', separator: ' ', prefix: 'v1a,' },
  },
  signed: '{header:webhook-id}.{t}.{body}',
  key: { config: 'public_key' },
  timestamp: { at: { header: 'webhook-timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
  needs: ['public_key'],
}

export const st: readonly Preset[] = [
  {
    source: 'standard-webhooks',
    name: 'Standard Webhooks',
    description:
      'Generic receiver for any sender that follows the Standard Webhooks specification.',
    mode: 'hmac_timestamped',
    docs: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
    configKeys: [
      { ...OPTIONAL_SECRET, meaning: 'The secret, whsec_…. This or a public key.' },
      {
        ...PUBLIC_KEY,
        required: false,
        meaning: 'The public key, whpk_…, of a sender that signs with its own.',
      },
    ],
    verify: {
      kind: 'any',
      of: [{ ...standardWebhooks('webhook'), needs: ['secret'] }, STANDARD_WEBHOOKS_ED25519],
    },
    eventType: ['$.type'],
    deliveryId: ['$.headers.webhook-id'],
  },
  {
    source: 'statuspage',
    name: 'Atlassian Statuspage',
    description: 'Statuspage subscriber webhooks for incident and component updates; not signed.',
    mode: 'token',
    docs: 'https://support.atlassian.com/statuspage/docs/enable-webhook-notifications/',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    unpack: (document) =>
      withKind(document, (name) => name === 'incident' || name === 'component_update'),
    eventType: ['$.kind'],
    deliveryId: ['$.incident.incident_updates[0].id', '$.component_update.id'],
    notes: 'Statuspage signs nothing: whoever knows the URL with its token is believed.',
  },
  {
    source: 'stigg',
    name: 'Stigg',
    description: 'Stigg subscription, entitlement and credit webhooks.',
    mode: 'token',
    docs: 'https://docs.stigg.io/documentation/native-integrations/webhooks',
    configKeys: [
      { ...SHARED_SECRET, meaning: 'The webhook’s signing secret, which Stigg sends as it is.' },
    ],
    verify: { kind: 'token', at: { header: 'Stigg-Webhooks-Secret' }, config: 'secret' },
    eventType: ['$.type'],
    deliveryId: ['$.messageId'],
  },
  {
    source: 'storyblok',
    name: 'Storyblok',
    description: 'Storyblok story, asset and workflow webhooks.',
    mode: 'hmac',
    docs: 'https://www.storyblok.com/docs/concepts/webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('webhook-signature', { algorithm: 'sha1' }),
    eventType: ['$.action'],
    deliveryId: [],
  },
  {
    source: 'strapi',
    name: 'Strapi',
    description: 'Strapi CMS entry, media and release webhooks.',
    mode: 'token',
    docs: 'https://docs.strapi.io/cms/backend-customization/webhooks',
    configKeys: [HEADER_NAME, SHARED_SECRET],
    verify: namedHeader(),
    eventType: ['$.headers.X-Strapi-Event', '$.event'],
    deliveryId: [],
    notes:
      'Add a header to the webhook, as Authorization with a long random text. Nothing is signed.',
  },
  {
    source: 'stripe',
    name: 'Stripe',
    description:
      'Payment platform events, one header carrying a timestamp and one or more versioned HMACs',
    mode: 'hmac_timestamped',
    docs: 'https://docs.stripe.com/webhooks/signature',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'Stripe-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
      },
      signed: '{t}.{body}',
      timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['$.type'],
    deliveryId: ['$.id'],
  },
  {
    source: 'stytch',
    name: 'Stytch',
    description: 'Stytch user, member and organization change webhooks, delivered through Svix.',
    mode: 'hmac_timestamped',
    docs: 'https://stytch.com/docs/workspace-management/webhooks',
    configKeys: [SECRET],
    verify: standardWebhooks('svix'),
    eventType: ['{$.source}.{$.object_type}.{$.action}', '$.source'],
    deliveryId: ['$.headers.svix-id'],
  },
]
