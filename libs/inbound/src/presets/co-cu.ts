/** The platforms from Coinbase Commerce to Customer.io. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { contentfulContent } from '../odd/contentful.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const coCu: readonly Preset[] = [
  {
    source: 'coinbase-commerce',
    name: 'Coinbase Commerce',
    description: 'Crypto charge events signed over the raw body',
    mode: 'hmac',
    docs: 'https://docs.cdp.coinbase.com/commerce/api-arcitecture/webhooks-security',
    configKeys: [SECRET],
    verify: bodyHmac('X-CC-Webhook-Signature'),
    eventType: ['$.event.type'],
    deliveryId: ['$.event.id'],
    notes:
      'For Coinbase Commerce. Webhooks of Coinbase Business and of the Developer Platform are signed in another way and refused.',
  },
  {
    source: 'column',
    name: 'Column',
    description: 'Column banking-as-a-service event webhooks.',
    mode: 'hmac',
    docs: 'https://column.com/docs/workingwithapi/events-and-webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('Column-Signature'),
    eventType: ['$.type'],
    deliveryId: ['$.id'],
    notes: 'That the signature is in hex is not confirmed by the platform’s documents.',
  },
  {
    source: 'contentful',
    name: 'Contentful',
    description: 'Contentful webhooks with request verification enabled.',
    mode: 'provider_specific',
    docs: 'https://www.contentful.com/developers/docs/webhooks/request-verification/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'x-contentful-signature' } },
      signed: 'method, path, headers of x-contentful-signed-headers and body, a line each',
      content: contentfulContent,
      timestamp: {
        at: { header: 'x-contentful-timestamp' },
        unit: 'milliseconds',
        toleranceSeconds: 30,
      },
    },
    eventType: ['$.headers.X-Contentful-Topic'],
    deliveryId: [],
    notes:
      'Switch on request verification and enter its secret. Enter the URL of the receiver as it is shown: its path is signed.',
  },
  {
    source: 'copper',
    name: 'Copper',
    description: 'Copper CRM webhook subscriptions.',
    mode: 'token',
    docs: 'https://developer.copper.com/webhooks/overview.html',
    configKeys: [
      {
        name: 'secret_key_name',
        secret: false,
        required: true,
        meaning:
          'The name of the member of the body that holds the secret, as given when the subscription was made.',
      },
      { name: 'secret', secret: true, required: true, meaning: 'Its value.' },
    ],
    verify: { kind: 'token', at: { memberNamedBy: 'secret_key_name' }, config: 'secret' },
    eventType: ['$.event'],
    deliveryId: [],
    notes:
      'Copper signs nothing: it repeats the secret in every body. Not confirmed by the platform’s documents.',
  },
  {
    source: 'crisp',
    name: 'Crisp',
    description: 'Crisp chat plugin web hooks.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.crisp.chat/references/web-hooks/v1/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'X-Crisp-Signature' } },
      signed: '[{t};{body}]',
      timestamp: {
        at: { header: 'X-Crisp-Request-Timestamp' },
        unit: 'milliseconds',
        toleranceSeconds: 300,
      },
    },
    eventType: ['$.event'],
    deliveryId: ['{$.timestamp}:{$.data.fingerprint}'],
    notes:
      'For web hooks of a plugin. Those of a website have only a key in their URL and are refused.',
  },
  {
    source: 'customer-io',
    name: 'Customer.io',
    description: 'Customer.io reporting webhooks and campaign webhook actions.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.customer.io/integrations/api/webhooks/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'X-CIO-Signature' } },
      signed: 'v0:{t}:{body}',
      timestamp: { at: { header: 'X-CIO-Timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['{$.object_type}.{$.metric}', '$.object_type'],
    deliveryId: ['$.event_id'],
  },
]
