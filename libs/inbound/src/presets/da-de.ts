/** The platforms from Daily.co to Descope. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import {
  HEADER_NAME,
  OPTIONAL_SECRET,
  OPTIONAL_SHARED_SECRET,
  PASSWORD,
  REQUIRED_PASSWORD,
  REQUIRED_USERNAME,
  SECRET,
  USERNAME,
} from '../schemes/config-keys.ts'
import { BASIC, headerOrBasic } from '../schemes/static-credentials.ts'

export const daDe: readonly Preset[] = [
  {
    source: 'daily-co',
    name: 'Daily.co',
    description: 'Daily.co meeting and recording webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.daily.co/reference/rest-api/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { at: { header: 'X-Webhook-Signature' } },
      signed: '{t}.{body}',
      key: { config: 'secret', as: 'base64' },
      timestamp: { at: { header: 'X-Webhook-Timestamp' }, unit: 'auto', toleranceSeconds: 300 },
    },
    handshakes: [
      {
        when: { method: 'POST', has: [{ json: '$.test' }], hasNot: [{ json: '$.type' }] },
        answer: { status: 200 },
      },
    ],
    eventType: ['$.type'],
    deliveryId: ['$.id'],
    accepted: { status: 200 },
    notes:
      'Make the webhook with a hmac secret of your own, in base64, entered here before: Daily tests the receiver while it makes the webhook. What that test looks like is not confirmed by the platform’s documents.',
  },
  {
    source: 'databricks',
    name: 'Databricks',
    description: 'Databricks MLflow Model Registry (legacy) webhooks.',
    mode: 'hmac',
    docs: 'https://docs.databricks.com/en/mlflow/model-registry-webhooks.html',
    configKeys: [SECRET],
    verify: bodyHmac('X-Databricks-Signature'),
    eventType: ['$.event'],
    deliveryId: [],
    notes:
      'For webhooks of the model registry. Notifications of jobs and alerts are not signed and are refused.',
  },
  {
    source: 'datadog',
    name: 'Datadog',
    description:
      'Datadog webhooks integration (@webhook-name); custom headers, URL basic auth or OAuth2, no signature.',
    mode: 'token',
    docs: 'https://docs.datadoghq.com/integrations/webhooks/',
    configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
    verify: headerOrBasic(),
    eventType: ['$.event_type'],
    deliveryId: ['$.id'],
    notes:
      'Set what the webhook sends: a custom header (header_name and secret), or the user name and password of its URL. The body is a template of yours: types and ids are found where it has event_type and id.',
  },
  {
    source: 'datocms',
    name: 'DatoCMS',
    description: 'DatoCMS model, record and publish webhooks.',
    mode: 'basic_auth',
    docs: 'https://www.datocms.com/docs/general-concepts/webhooks',
    configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
    verify: { kind: 'basic' },
    eventType: ['$.event_type'],
    deliveryId: ['$.webhook_call_id'],
    notes: 'DatoCMS signs nothing: set HTTP basic credentials on the webhook.',
  },
  {
    source: 'dbt-cloud',
    name: 'dbt Cloud',
    description: 'dbt Cloud job run webhooks.',
    mode: 'hmac',
    docs: 'https://docs.getdbt.com/docs/deploy/webhooks#validate-a-webhook',
    configKeys: [SECRET],
    verify: bodyHmac('Authorization'),
    eventType: ['$.eventType'],
    deliveryId: ['$.eventId'],
    accepted: { status: 200 },
  },
  {
    source: 'deel',
    name: 'Deel',
    description:
      'Deel contract, payment and HR webhooks signed over the method name plus the body.',
    mode: 'hmac',
    docs: 'https://developer.deel.com/docs/security',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'x-deel-signature' } },
      signed: 'POST{body}',
    },
    eventType: ['$.data.meta.event_type'],
    deliveryId: [],
  },
  {
    source: 'descope',
    name: 'Descope',
    description: 'Descope HTTP/audit webhook connectors with optional HMAC over the body.',
    mode: 'hmac',
    docs: 'https://docs.descope.com/connectors/connector-hmac-usage',
    configKeys: [OPTIONAL_SECRET, HEADER_NAME, USERNAME, PASSWORD],
    verify: {
      kind: 'any',
      of: [
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'base64',
          signature: { at: { header: 'x-descope-webhook-s256' } },
          signed: '{body}',
          needs: ['secret', '!header_name'],
        },
        {
          kind: 'token',
          at: { headerNamedBy: 'header_name' },
          config: 'secret',
          needs: ['secret', 'header_name'],
        },
        BASIC,
      ],
    },
    eventType: ['$.action'],
    deliveryId: [],
    notes:
      'Give the connector an HMAC secret and enter it here; or its API key (header_name and secret); or a user name and a password. How Descope writes its signature is not confirmed by the platform’s documents: test it before you rely on it.',
  },
]
