/** The platforms from Phabricator / Phorge to Pulumi. */
import { verifyPlaid } from '../platforms/plaid.verifier.ts'
import { plivoContent } from '../odd/plivo.ts'
import type { HmacRule, Preset, TokenRule } from '../preset.ts'
import {
  HEADER_NAME,
  OPTIONAL_SHARED_SECRET,
  PASSWORD,
  REQUIRED_PASSWORD,
  REQUIRED_USERNAME,
  SECRET,
  SHARED_SECRET,
  USERNAME,
  WEBHOOK_URL,
} from '../schemes/config-keys.ts'
import { BASIC, namedHeader } from '../schemes/static-credentials.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'

/** Alertmanager writes a word before its credentials. */
const BEARER_OR_NAMED: TokenRule = { ...namedHeader(), scheme: 'Bearer ', optionalScheme: true }

export const phPu: readonly Preset[] = [
  {
    source: 'phabricator',
    name: 'Phabricator / Phorge',
    description: 'Phabricator / Phorge Herald webhooks.',
    mode: 'hmac',
    docs: 'https://secure.phabricator.com/book/phabricator/article/webhooks/',
    configKeys: [SECRET],
    verify: bodyHmac('X-Phabricator-Webhook-Signature'),
    eventType: ['$.object.type'],
    deliveryId: ['$.transactions[*].phid'],
  },
  {
    source: 'pipedrive',
    name: 'Pipedrive',
    description: 'Pipedrive webhooks v1/v2.',
    mode: 'basic_auth',
    docs: 'https://pipedrive.readme.io/docs/guide-for-webhooks-v2',
    configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
    verify: BASIC,
    eventType: ['{$.meta.action}.{$.meta.entity}', '$.event'],
    // In version 1 that id is the changed object's own.
    deliveryId: ['{$.meta.entity_id}:{$.meta.id}'],
    notes: 'Give the webhook an HTTP user and password. Nothing is signed.',
  },
  {
    source: 'plaid',
    name: 'Plaid',
    description: 'Bank-data events authenticated by an ES256 JWT that carries the body hash',
    mode: 'jwt',
    docs: 'https://plaid.com/docs/api/webhooks/webhook-verification/',
    configKeys: [
      { name: 'client_id', secret: false, required: true, meaning: 'Your client id at Plaid.' },
      {
        ...SECRET,
        meaning:
          'Your API secret at Plaid for this environment; its keys are shown to its customers only.',
      },
      {
        name: 'environment',
        secret: false,
        required: false,
        values: ['sandbox', 'production'],
        meaning: 'Of Plaid. Default: production.',
      },
    ],
    verify: { kind: 'odd', verify: verifyPlaid, headers: ['Plaid-Verification'] },
    eventType: ['{$.webhook_type}.{$.webhook_code}', '$.webhook_code'],
    deliveryId: [],
    accepted: { status: 200 },
    notes:
      'We ask Plaid for its keys with your client id and secret, which are used for nothing else.',
  },
  {
    source: 'plivo',
    name: 'Plivo',
    description: 'Plivo voice and messaging callbacks (signature V3).',
    mode: 'provider_specific',
    docs: 'https://www.plivo.com/docs/voice/concepts/signature-validation',
    configKeys: [
      {
        name: 'auth_token',
        secret: true,
        required: true,
        meaning: 'The auth token of the account, or of the subaccount.',
      },
      WEBHOOK_URL,
    ],
    verify: {
      kind: 'any',
      of: [plivoSignature('X-Plivo-Signature-V3'), plivoSignature('X-Plivo-Signature-Ma-V3')],
    },
    eventType: ['$.Event', '$.CallStatus', '$.Status'],
    deliveryId: [],
    accepted: { status: 200, type: 'text/xml', body: '<Response/>' },
    notes:
      'Calls get an empty Response as their answer, which ends them: give Plivo the receiver for its status callbacks. The older signature V2 is not checked.',
  },
  {
    source: 'postmark',
    name: 'Postmark',
    description:
      'Email event webhooks; no signature, protected by HTTP Basic credentials or custom headers you set',
    mode: 'basic_auth',
    docs: 'https://postmarkapp.com/developer/webhooks/webhooks-overview',
    configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
    verify: BASIC,
    eventType: ['$.RecordType'],
    deliveryId: [],
    accepted: { status: 200 },
    notes:
      'Put the name and the password into the URL that you enter at Postmark: https://name:password@host/…. Nothing is signed.',
  },
  {
    source: 'prismic',
    name: 'Prismic',
    description: 'Prismic repository webhooks (API update, releases, tags).',
    mode: 'token',
    docs: 'https://prismic.io/docs/webhooks',
    configKeys: [{ ...SHARED_SECRET, meaning: 'The secret that you gave the webhook.' }],
    verify: { kind: 'token', at: { json: '$.secret' }, config: 'secret' },
    eventType: ['$.type'],
    deliveryId: [],
    notes:
      'The secret is part of the body, and goes on to your endpoints with it: take it out with a transformation where they must not see it. The button for tests sends the type test-trigger.',
  },
  {
    source: 'prometheus-alertmanager',
    name: 'Prometheus Alertmanager',
    description:
      'Alertmanager webhook receiver notifications; authentication is whatever http_config sets.',
    mode: 'token',
    docs: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
    configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
    verify: { kind: 'any', of: [BEARER_OR_NAMED, BASIC] },
    eventType: ['$.status'],
    deliveryId: [],
    notes:
      'Set authorization, basic_auth or http_headers in the receiver’s http_config. Nothing is signed.',
  },
  {
    source: 'pulumi',
    name: 'Pulumi',
    description: 'Pulumi Cloud stack, deployment and environment webhooks.',
    mode: 'hmac',
    docs: 'https://www.pulumi.com/docs/pulumi-cloud/webhooks/',
    configKeys: [SECRET],
    verify: bodyHmac('Pulumi-Webhook-Signature'),
    eventType: ['$.headers.Pulumi-Webhook-Kind'],
    deliveryId: ['$.headers.Pulumi-Webhook-ID'],
  },
]

/** With the token of the subaccount, or with the main account's. */
function plivoSignature(header: string): HmacRule {
  return {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header }, format: { kind: 'list', separator: ',' } },
    signed:
      '{url} with its query sorted, the form fields sorted, and {header:X-Plivo-Signature-V3-Nonce}',
    content: plivoContent,
    key: { config: 'auth_token' },
  }
}
