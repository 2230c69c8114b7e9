/** The platforms from Salesforce Marketing Cloud to Sentry. */
import { learnEnsVerification } from '../odd/salesforce-ens.ts'
import type { HmacRule, Preset } from '../preset.ts'
import { HEADER_NAME, OPTIONAL_SECRET, PUBLIC_KEY, SECRET, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'

export const saSe: readonly Preset[] = [
  {
    source: 'salesforce-marketing-cloud',
    name: 'Salesforce Marketing Cloud (ENS)',
    description:
      'Marketing Cloud Engagement Event Notification Service batches signed over the raw body',
    mode: 'hmac',
    docs: 'https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/ens-notification-signing.html',
    configKeys: [
      {
        ...OPTIONAL_SECRET,
        meaning: 'The signature key that is shown once, when the callback is created.',
      },
      {
        name: 'callback_id',
        secret: false,
        required: false,
        meaning: 'Kept from the first request that Salesforce sends.',
      },
      {
        name: 'verification_key',
        secret: false,
        required: false,
        meaning: 'Kept from the first request, for your call of ens-verify.',
      },
    ],
    verify: bodyHmac('x-sfmc-ens-signature', { encoding: 'base64' }),
    handshakes: [
      {
        when: { method: 'POST', has: [{ json: '$.callbackId' }, { json: '$.verificationKey' }] },
        odd: learnEnsVerification,
      },
    ],
    eventType: ['$[*].eventCategoryType'],
    deliveryId: [],
    notes:
      'Make the receiver, then the callback: Salesforce sends a callback id and a verification key, which are kept in sourceConfig. Call POST /platform/v1/ens-verify with both, and set the signature key as the secret. That the key is not decoded from base64 is not confirmed by the platform’s documents.',
  },
  {
    source: 'salesforce-pardot',
    name: 'Salesforce Account Engagement (Pardot)',
    description:
      'Has no outbound webhook product of its own; External Actions call Salesforce invocable actions instead',
    mode: 'none',
    docs: 'https://developer.salesforce.com/docs/marketing/pardot/guide/external-actions-guide.html',
    configKeys: [HEADER_NAME, SHARED_SECRET],
    verify: namedHeader(),
    eventType: ['$.type', '$.event'],
    deliveryId: [],
    notes:
      'Account Engagement sends no webhooks: have a Flow or Apex callout post here with a header of your choice. Outbound Messages of Salesforce itself are SOAP, and are not read.',
  },
  {
    source: 'sanity',
    name: 'Sanity',
    description: 'Sanity GROQ-powered document webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://www.sanity.io/docs/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64url',
      signature: {
        at: { header: 'sanity-webhook-signature' },
        format: { kind: 'fields', separator: ',', signature: 'v1', timestamp: 't' },
      },
      signed: '{t}.{body}',
      timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: null },
    },
    eventType: ['$.headers.sanity-operation'],
    deliveryId: ['$.headers.idempotency-key'],
    notes: 'Sanity names no age that is too old.',
  },
  {
    source: 'segment',
    name: 'Segment',
    description: 'Segment webhook destinations.',
    mode: 'hmac',
    docs: 'https://segment.com/docs/connections/destinations/catalog/actions-webhook/',
    configKeys: [SECRET],
    verify: bodyHmac('X-Signature', { algorithm: 'sha1' }),
    eventType: ['$.event', '$.type'],
    deliveryId: ['$.messageId'],
    notes:
      'Switch batching off: of a batch Segment signs the first event only, and whoever has seen one could put others behind it. Batches are refused.',
  },
  {
    source: 'sendgrid',
    name: 'SendGrid (Event Webhook)',
    description: 'Email event batches signed with an ECDSA key pair; you store the public key',
    mode: 'asymmetric',
    docs: 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features',
    configKeys: [
      {
        ...PUBLIC_KEY,
        meaning:
          'The verification key that SendGrid shows when the signed event webhook is switched on.',
      },
    ],
    verify: {
      kind: 'asymmetric',
      algorithm: 'ecdsa-sha256',
      encoding: 'base64',
      signature: { at: { header: 'X-Twilio-Email-Event-Webhook-Signature' } },
      signed: '{t}{body}',
      key: { config: 'public_key' },
      timestamp: {
        at: { header: 'X-Twilio-Email-Event-Webhook-Timestamp' },
        unit: 'seconds',
        toleranceSeconds: 300,
      },
    },
    eventType: ['$[*].event'],
    deliveryId: ['$[*].sg_event_id'],
    notes:
      'Switch on the signed event webhook: without it nothing is signed. A request holds a batch of events: they are one event here, named by the first. Inbound Parse is verified with the same key when a security policy signs it.',
  },
  {
    source: 'sentry',
    name: 'Sentry',
    description:
      "Sentry integration-platform webhooks (issues, errors, comments, alerts) signed with the integration's client secret.",
    mode: 'hmac',
    docs: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
    configKeys: [SECRET],
    verify: {
      kind: 'any',
      // The second is that of requests of UI components.
      of: ['Sentry-Hook-Signature', 'Sentry-App-Signature'].map(sentrySignature),
    },
    eventType: ['{$.headers.Sentry-Hook-Resource}.{$.action}', '$.headers.Sentry-Hook-Resource'],
    deliveryId: [],
    notes:
      'The secret is the client secret of the integration. The old WebHooks plugin signs nothing and is refused.',
  },
]

function sentrySignature(header: string): HmacRule {
  return {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header } },
    signed: '{body}',
  }
}
