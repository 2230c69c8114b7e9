/** The platforms from Braintree to Buildkite. */
import type { Preset } from '../preset.ts'
import { answerBraintree, unpackBraintree, verifyBraintree } from '../platforms/braintree.verifier.ts'
import { HEADER_NAME, SECRET, SHARED_SECRET, URL_TOKEN } from '../schemes/config-keys.ts'

export const brBu: readonly Preset[] = [
  {
    source: 'braintree',
    name: 'Braintree',
    description:
      'Gateway notifications posted as two form fields: a list of public-key/HMAC pairs and a base64 XML payload',
    mode: 'provider_specific',
    docs: 'https://developer.paypal.com/braintree/docs/guides/webhooks/parse/node',
    configKeys: [
      {
        name: 'public_key',
        secret: false,
        required: true,
        meaning: 'The public key of the gateway’s API keys.',
      },
      {
        name: 'private_key',
        secret: true,
        required: true,
        meaning: 'The private key that belongs to it.',
      },
    ],
    verify: { kind: 'odd', verify: verifyBraintree },
    handshakes: [
      { when: { method: 'GET', has: [{ query: 'bt_challenge' }] }, odd: answerBraintree },
    ],
    eventType: ['$.notification.kind'],
    deliveryId: [],
    unpack: unpackBraintree,
    notes: 'The event arrives as Braintree sends it: a form whose bt_payload is base64 of XML.',
  },
  {
    source: 'brevo',
    name: 'Brevo',
    description: 'Brevo (Sendinblue) transactional and marketing webhooks.',
    mode: 'token',
    docs: 'https://developers.brevo.com/docs/username-and-password-authentication',
    configKeys: [SHARED_SECRET, HEADER_NAME],
    verify: {
      kind: 'token',
      at: { headerNamedBy: 'header_name', or: 'Authorization' },
      scheme: 'Bearer ',
      optionalScheme: true,
      config: 'secret',
    },
    eventType: ['$.event'],
    deliveryId: ['{$.message-id}:{$.event}:{$.ts_event}'],
    notes:
      'Brevo signs nothing. Enter the token of the webhook’s authentication; or a header of your own (header_name and secret); or, for a user name and a password in the URL, the whole value that begins with Basic. Not confirmed by the platform’s documents.',
  },
  {
    source: 'bugsnag',
    name: 'BugSnag',
    description:
      'BugSnag project webhooks for new errors, spikes, releases and so on; no documented signature.',
    mode: 'token',
    docs: 'https://docs.bugsnag.com/product/integrations/data-forwarding/webhook/',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    eventType: ['$.trigger.type'],
    deliveryId: [],
    notes: 'BugSnag signs nothing: the token in the URL is all that protects the receiver.',
  },
  {
    source: 'buildkite',
    name: 'Buildkite',
    description:
      'Buildkite pipeline, job, agent and registry webhooks with an HMAC signature or a plain token.',
    mode: 'hmac_timestamped',
    docs: 'https://buildkite.com/docs/apis/webhooks/pipelines#webhook-signature',
    configKeys: [
      SECRET,
      {
        name: 'auth_mode',
        secret: false,
        required: false,
        meaning:
          'How Buildkite proves itself: signature (the default here) or token, as chosen in its webhook.',
        values: ['signature', 'token'],
      },
    ],
    verify: {
      kind: 'any',
      of: [
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          signature: {
            at: { header: 'X-Buildkite-Signature' },
            format: {
              kind: 'fields',
              separator: ',',
              signature: 'signature',
              timestamp: 'timestamp',
            },
          },
          signed: '{t}.{body}',
          timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
          needs: ['auth_mode?=signature'],
        },
        {
          kind: 'token',
          at: { header: 'X-Buildkite-Token' },
          config: 'secret',
          needs: ['auth_mode=token'],
        },
      ],
    },
    eventType: ['$.headers.X-Buildkite-Event', '$.event'],
    deliveryId: [],
    notes:
      'Choose the signature in Buildkite: by itself it sends the token in the clear, for which auth_mode must be token.',
  },
]
