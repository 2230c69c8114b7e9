/** The platforms from Okta to Orb. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { HEADER_NAME, SECRET, SHARED_SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const o: readonly Preset[] = [
  {
    source: 'okta',
    name: 'Okta',
    description: 'Okta event hooks with a static auth header and a one-time verification GET.',
    mode: 'token',
    docs: 'https://developer.okta.com/docs/concepts/event-hooks/',
    configKeys: [HEADER_NAME, SHARED_SECRET],
    verify: namedHeader(),
    handshakes: [
      {
        when: { method: 'GET', has: [{ header: 'x-okta-verification-challenge' }] },
        echo: { header: 'x-okta-verification-challenge' },
        as: { json: 'verification' },
      },
    ],
    eventType: ['$.data.events[*].eventType', '$.eventType'],
    deliveryId: ['$.eventId'],
    notes: 'Several events may come in one request: they are one event here, named by the first.',
  },
  {
    source: 'onelogin',
    name: 'OneLogin',
    description:
      'OneLogin event webhooks (event broadcaster) posting batches of events; custom headers only.',
    mode: 'token',
    docs: 'https://developers.onelogin.com/api-docs/1/events/webhooks',
    configKeys: [HEADER_NAME, SHARED_SECRET],
    verify: namedHeader(),
    eventType: ['$[*].event_type_id'],
    deliveryId: ['$[*].uuid'],
    notes:
      'Add a custom header to the webhook, and choose the format JSON Array: lines of JSON become text. A request holds a batch of events.',
  },
  {
    source: 'onfido',
    name: 'Onfido (Entrust)',
    description: 'Onfido check, report and Studio workflow events.',
    mode: 'hmac',
    docs: 'https://documentation.onfido.com/api/latest/#verifying-webhook-signatures',
    configKeys: [SECRET],
    verify: bodyHmac('X-SHA2-Signature'),
    eventType: ['$.payload.action'],
    deliveryId: [],
  },
  {
    source: 'openai',
    name: 'OpenAI',
    description:
      'OpenAI API events (background responses, batches, fine-tuning, evals, realtime calls) using Standard Webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://platform.openai.com/docs/guides/webhooks',
    configKeys: [SECRET],
    // A secret without whsec_ is taken letter by letter, as OpenAI's library does.
    verify: { kind: 'any', of: [standardWebhooks('webhook'), standardWebhooks('webhook', 'utf8')] },
    eventType: ['$.type'],
    deliveryId: ['$.headers.webhook-id'],
  },
  {
    source: 'opsgenie',
    name: 'Opsgenie',
    description: 'Opsgenie outgoing webhook integration; only custom headers for authentication.',
    mode: 'token',
    docs: 'https://support.atlassian.com/opsgenie/docs/integrate-opsgenie-with-outgoing-webhooks/',
    configKeys: [HEADER_NAME, SHARED_SECRET],
    verify: namedHeader(),
    eventType: ['$.action'],
    deliveryId: [],
    notes: 'Add a custom header to the integration. Atlassian retires Opsgenie in 2027.',
  },
  {
    source: 'orb',
    name: 'Orb',
    description: 'Orb billing webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.withorb.com/integrations-and-exports/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'X-Orb-Signature' },
        format: { kind: 'list', separator: ' ', prefix: 'v1=' },
      },
      signed: 'v1:{t}:{body}',
      timestamp: { at: { header: 'X-Orb-Timestamp' }, unit: 'iso8601', toleranceSeconds: 300 },
    },
    eventType: ['$.type'],
    deliveryId: ['$.id'],
  },
]
