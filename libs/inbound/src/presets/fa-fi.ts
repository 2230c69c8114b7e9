/** The platforms from Facebook to Fivetran. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { verifyFireblocks } from '../platforms/fireblocks.verifier.ts'
import { SECRET, VERIFY_TOKEN } from '../schemes/config-keys.ts'
import { META_CHALLENGE, META_SIGNATURE } from '../schemes/meta.ts'

export const faFi: readonly Preset[] = [
  {
    source: 'facebook',
    name: 'Facebook',
    description: 'Facebook Page, user and ad webhooks (Meta Graph API).',
    mode: 'hmac',
    docs: 'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
    configKeys: [SECRET, VERIFY_TOKEN],
    verify: META_SIGNATURE,
    handshakes: [META_CHALLENGE],
    eventType: ['{$.object}.{$.entry[*].changes[*].field}', '$.object'],
    deliveryId: [],
    notes:
      'The secret is the app secret. Enter the verify token here before you enter the URL at Meta.',
  },
  {
    source: 'fastly',
    name: 'Fastly Next-Gen WAF',
    description:
      "Fastly Next-Gen WAF (Signal Sciences) generic webhook alerts signed with the integration's key.",
    mode: 'hmac',
    docs: 'https://www.fastly.com/documentation/guides/next-gen-waf/integrations/generic-webhooks/',
    configKeys: [SECRET],
    verify: bodyHmac('X-SigSci-Signature'),
    eventType: ['$.type'],
    deliveryId: [],
    notes:
      'For the Next-Gen WAF. Log streaming is another product: it is not signed and is refused.',
  },
  {
    source: 'figma',
    name: 'Figma',
    description: 'Figma file, comment and library webhooks (v2).',
    mode: 'token',
    docs: 'https://developers.figma.com/docs/rest-api/webhooks/',
    configKeys: [
      {
        name: 'passcode',
        secret: true,
        required: true,
        meaning: 'The passcode that was given when the webhook was made.',
      },
    ],
    verify: { kind: 'token', at: { json: '$.passcode' }, config: 'passcode' },
    eventType: ['$.event_type'],
    deliveryId: [],
    accepted: { status: 200 },
    notes: 'Figma signs nothing: it repeats the passcode in every body.',
  },
  {
    source: 'fireblocks',
    name: 'Fireblocks',
    description: 'Fireblocks Webhooks v2 (transactions, vaults, approvals).',
    mode: 'asymmetric',
    docs: 'https://developers.fireblocks.com/reference/validating-webhooks',
    configKeys: [
      {
        name: 'environment',
        secret: false,
        required: false,
        meaning: 'Where the workspace is. Default: us.',
        values: ['us', 'eu', 'eu2', 'sandbox'],
      },
    ],
    verify: { kind: 'odd', verify: verifyFireblocks, headers: ['Fireblocks-Webhook-Signature'] },
    eventType: ['$.eventType'],
    deliveryId: ['$.id'],
    notes:
      'For Webhooks v2. The keys are the same for every customer of Fireblocks: keep the URL to yourself.',
  },
  {
    source: 'firehydrant',
    name: 'FireHydrant',
    description: 'FireHydrant runbook webhook step and webhook endpoints.',
    mode: 'hmac',
    docs: 'https://docs.firehydrant.com/docs/runbook-step-send-a-webhook',
    configKeys: [SECRET],
    verify: bodyHmac('fh-signature'),
    eventType: ['{$.event.resource_type}.{$.event.operation}', '$.event.resource_type'],
    deliveryId: [],
    notes:
      'In a runbook’s step the body is yours: the type is found where it has the fields of FireHydrant’s own events.',
  },
  {
    source: 'fivetran',
    name: 'Fivetran',
    description: 'Fivetran sync and connection webhooks.',
    mode: 'hmac',
    docs: 'https://fivetran.com/docs/rest-api/webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('X-Fivetran-Signature-256'),
    eventType: ['$.event'],
    deliveryId: [],
  },
]
