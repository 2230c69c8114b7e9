/** The platforms from Honeybadger to Hygraph. */
import type { Preset } from '../preset.ts'
import { hubspotContent } from '../odd/hubspot.ts'
import { hygraphContent } from '../odd/hygraph.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'

export const hoHy: readonly Preset[] = [
  {
    source: 'honeybadger',
    name: 'Honeybadger',
    description:
      'Honeybadger error, uptime and check-in webhooks identified by a static token header.',
    mode: 'token',
    docs: 'https://docs.honeybadger.io/integrations/webhook',
    configKeys: [
      {
        name: 'secret',
        secret: true,
        required: true,
        meaning: 'The token that Honeybadger sends.',
      },
    ],
    verify: {
      kind: 'any',
      of: [
        { kind: 'token', at: { header: 'Honeybadger-Token' }, config: 'secret' },
        { kind: 'token', at: { header: 'Authorization' }, scheme: 'Bearer ', config: 'secret' },
      ],
    },
    eventType: ['$.event'],
    deliveryId: [],
    notes:
      'Honeybadger signs nothing: it sends a token. The header Honeybadger-Token is not confirmed by the page on webhooks.',
  },
  {
    source: 'hubspot',
    name: 'HubSpot (v3)',
    description: 'App webhooks with a timestamped HMAC over method, URI, body and time',
    mode: 'hmac_timestamped',
    docs: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation',
    configKeys: [SECRET, WEBHOOK_URL],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { at: { header: 'X-HubSpot-Signature-v3' } },
      signed: '{method}{url}{body}{t}',
      content: hubspotContent,
      timestamp: {
        at: { header: 'X-HubSpot-Request-Timestamp' },
        unit: 'milliseconds',
        toleranceSeconds: 300,
      },
    },
    eventType: ['$[*].subscriptionType'],
    deliveryId: ['{$[*].eventId}:{$[*].subscriptionId}:{$[*].occurredAt}'],
    notes:
      'The secret is the client secret of the app. A request holds up to 100 events, which travel as one; its type is that of the first.',
  },
  {
    source: 'hubspot-v1',
    name: 'HubSpot (v1)',
    description: 'Original HubSpot app webhooks with a plain SHA-256 of secret and body',
    mode: 'provider_specific',
    docs: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'X-HubSpot-Signature' } },
      signed: '{key}{body}',
      bareHash: true,
    },
    eventType: ['$[*].subscriptionType'],
    deliveryId: ['{$[*].eventId}:{$[*].subscriptionId}:{$[*].occurredAt}'],
    notes:
      'The secret is the client secret of the app. This is HubSpot’s oldest and weakest signature: use hubspot where you can.',
  },
  {
    source: 'hubspot-v2',
    name: 'HubSpot (v2)',
    description:
      'Older HubSpot requests (workflow webhooks, CRM cards) with a plain SHA-256 of secret, method, URI and body',
    mode: 'provider_specific',
    docs: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation',
    configKeys: [SECRET, WEBHOOK_URL],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'X-HubSpot-Signature' } },
      signed: '{key}{method}{url}{body}',
      bareHash: true,
    },
    eventType: ['$[*].subscriptionType'],
    deliveryId: [],
    notes:
      'The secret is the client secret of the app. An older and weaker signature, of workflows and CRM cards: use hubspot where you can.',
  },
  {
    source: 'hygraph',
    name: 'Hygraph',
    description: 'Hygraph (formerly GraphCMS) content webhooks.',
    mode: 'provider_specific',
    docs: 'https://hygraph.com/docs/api-reference/basics/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: {
        at: { header: 'gcms-signature' },
        format: { kind: 'fields', separator: ',', signature: 'sign', timestamp: 't' },
      },
      signed: '{"Body":…,"EnvironmentName":…,"TimeStamp":…}',
      content: hygraphContent,
      timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: null },
    },
    eventType: ['$.operation'],
    deliveryId: [],
  },
]
