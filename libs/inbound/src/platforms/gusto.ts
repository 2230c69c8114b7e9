/**
 * Gusto sends a token once, unsigned, when a subscription is created. Its owner must give it back
 * to Gusto, which signs with it from then on: so it is stored where its owner can read it.
 */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

export const preset: Preset = {
  source: 'gusto',
  name: 'Gusto',
  description:
    "Gusto Embedded / app-integration webhooks signed with the subscription's verification token.",
  mode: 'hmac',
  docs: 'https://docs.gusto.com/embedded-payroll/docs/webhooks',
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: false,
      meaning: 'The verification token, once the subscription is verified.',
    },
    {
      name: 'verification_token',
      secret: false,
      required: false,
      meaning:
        'As Gusto sent it when the subscription was made: shown here, so that you can give it back.',
    },
  ],
  verify: {
    kind: 'any',
    of: [
      bodyHmac('X-Gusto-Signature'),
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: { at: { header: 'X-Gusto-Signature' } },
        signed: '{body}',
        key: { config: 'verification_token' },
        needs: ['verification_token'],
      },
    ],
  },
  handshakes: [
    {
      when: {
        method: 'POST',
        has: [{ json: '$.verification_token' }],
        hasNot: [{ header: 'X-Gusto-Signature' }],
      },
      custom: learnGustoToken,
    },
  ],
  eventType: ['$.event_type'],
  deliveryId: ['$.uuid'],
  notes:
    'Make the subscription with the URL of this inbound endpoint. The token that Gusto sends appears as verification_token: give it to Gusto (PUT /v1/webhook_subscriptions/<uuid>/verify), then enter it as secret and leave verification_token out, so that it is no longer shown. That the signature is in hex is not confirmed by the platform’s documents.',
}

function learnGustoToken(view: RequestView): HandshakeAnswer | null {
  const token = view.values({ json: '$.verification_token' })[0]
  const isKnown = ['secret', 'verification_token'].some((key) => view.configured(key).length > 0)
  if (token === undefined || isKnown || !/^[\x21-\x7e]{1,256}$/.test(token)) return null
  return { status: 200, headers: {}, body: '', learned: { verification_token: token } }
}
