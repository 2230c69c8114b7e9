/** The platforms from BambooHR to Box. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import {
  HEADER_NAME,
  OPTIONAL_SHARED_SECRET,
  PASSWORD,
  REQUIRED_PASSWORD,
  REQUIRED_USERNAME,
  SECRET,
  USERNAME,
} from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'
import { headerOrBasic } from '../schemes/static-credentials.ts'

export const baBo: readonly Preset[] = [
  {
    source: 'bamboohr',
    name: 'BambooHR',
    description: "BambooHR employee-change webhooks signed with the webhook's private key.",
    mode: 'hmac_timestamped',
    docs: 'https://documentation.bamboohr.com/docs/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'X-BambooHR-Signature' } },
      signed: '{body}{t}',
      timestamp: {
        at: { header: 'X-BambooHR-Timestamp' },
        unit: 'seconds',
        toleranceSeconds: null,
      },
    },
    eventType: ['$.employees[*].action'],
    deliveryId: [],
    notes:
      'Enter the private key that is shown once, when the webhook is made. The event’s type is the action of its first employee.',
  },
  {
    source: 'bandwidth',
    name: 'Bandwidth',
    description: 'Bandwidth voice and messaging callbacks.',
    mode: 'basic_auth',
    docs: 'https://dev.bandwidth.com/docs/messaging/webhooks/',
    configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
    verify: { kind: 'basic' },
    eventType: ['$[*].type', '$.eventType'],
    deliveryId: [
      '{$[*].type}:{$[*].message.id}:{$[*].to}',
      '{$.eventType}:{$.callId}:{$.eventTime}',
    ],
    notes:
      'Enter the callback credentials of the application. Not confirmed by the platform’s documents.',
  },
  {
    source: 'betterstack',
    name: 'Better Stack',
    description:
      'Better Stack uptime/incident outgoing webhooks; optional basic auth and custom headers, no signature.',
    mode: 'token',
    docs: 'https://betterstack.com/docs/uptime/api/outgoing-webhook-integrations/',
    configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
    verify: headerOrBasic(),
    eventType: ['$.event_type'],
    deliveryId: [],
    notes:
      'Set what the outgoing webhook sends: a header of its own (header_name and secret), or a user name and a password. Its body is a template of yours, so the type is only found where the template has event_type. Not confirmed by the platform’s documents.',
  },
  {
    source: 'bigcommerce',
    name: 'BigCommerce',
    description: 'BigCommerce store webhooks (scope callbacks).',
    mode: 'hmac_timestamped',
    docs: 'https://developer.bigcommerce.com/docs/integrations/webhooks/https-webhook-overview',
    configKeys: [SECRET],
    verify: standardWebhooks('webhook', 'utf8'),
    eventType: ['$.scope'],
    deliveryId: ['$.headers.webhook-id'],
    notes: 'The secret is the client secret of the app, as it is shown.',
  },
  {
    source: 'bitbucket',
    name: 'Bitbucket',
    description: 'Bitbucket Cloud repository and workspace events signed over the raw body',
    mode: 'hmac',
    docs: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/',
    configKeys: [SECRET],
    verify: bodyHmac('X-Hub-Signature', { prefix: 'sha256=' }),
    eventType: ['$.headers.X-Event-Key'],
    deliveryId: ['$.headers.X-Request-UUID', '$.headers.X-Request-Id'],
    notes:
      'For Bitbucket Cloud and Data Center. The signature is there only when the webhook has a secret.',
  },
  {
    source: 'bitgo',
    name: 'BitGo',
    description: 'BitGo wallet, transfer and policy webhooks.',
    mode: 'hmac',
    docs: 'https://developers.bitgo.com/docs/crypto-as-a-service-webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('x-signature-sha256'),
    eventType: ['$.type'],
    deliveryId: ['{$.type}:{$.transfer}:{$.hash}:{$.state}', '{$.hash}:{$.state}'],
    notes:
      'The signature is there only once a webhook secret has been made. Webhooks of policy rules are signed in another way and refused.',
  },
  {
    source: 'bolt',
    name: 'Bolt',
    description: 'Bolt checkout transaction webhooks.',
    mode: 'hmac',
    docs: 'https://help.bolt.com/developers/references/webhooks/hook-verification/',
    configKeys: [SECRET],
    verify: bodyHmac('X-Bolt-Hmac-Sha256', { encoding: 'base64' }),
    eventType: ['$.type', '$.object'],
    deliveryId: ['{$.type}:{$.id}'],
    notes: 'Not confirmed by the platform’s documents.',
  },
  {
    source: 'box',
    name: 'Box',
    description:
      'V2 webhook events with two HMACs (primary and secondary key) over body and delivery time',
    mode: 'hmac_timestamped',
    docs: 'https://developer.box.com/guides/webhooks/v2/signatures-v2',
    configKeys: [
      {
        name: 'primary_key',
        secret: true,
        required: false,
        meaning: 'The primary signature key of the app.',
      },
      {
        name: 'secondary_key',
        secret: true,
        required: false,
        meaning: 'The secondary one: while keys are rotated either is enough.',
      },
    ],
    verify: {
      kind: 'any',
      of: [
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'base64',
          signature: { at: { header: 'BOX-SIGNATURE-PRIMARY' } },
          signed: '{body}{t}',
          key: { config: 'primary_key' },
          timestamp: {
            at: { header: 'BOX-DELIVERY-TIMESTAMP' },
            unit: 'iso8601',
            toleranceSeconds: 600,
          },
          needs: ['primary_key'],
        },
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'base64',
          signature: { at: { header: 'BOX-SIGNATURE-SECONDARY' } },
          signed: '{body}{t}',
          key: { config: 'secondary_key' },
          timestamp: {
            at: { header: 'BOX-DELIVERY-TIMESTAMP' },
            unit: 'iso8601',
            toleranceSeconds: 600,
          },
          needs: ['secondary_key'],
        },
      ],
    },
    eventType: ['$.trigger'],
    deliveryId: ['$.headers.BOX-DELIVERY-ID'],
  },
]
