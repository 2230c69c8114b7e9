/**
 * Salesforce's first request brings two values that its user has to send back by another way: they
 * are stored, for the user to read.
 */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { OPTIONAL_SECRET } from '../schemes/config-keys.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

export const preset: Preset = {
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
      custom: learnEnsVerification,
    },
  ],
  eventType: ['$[*].eventCategoryType'],
  deliveryId: [],
  notes:
    'Make the inbound endpoint, then the callback: Salesforce sends a callback id and a verification key, which are kept in sourceConfig. Call POST /platform/v1/ens-verify with both, and set the signature key as the secret. That the key is not decoded from base64 is not confirmed by the platform’s documents.',
}

function learnEnsVerification(view: RequestView): HandshakeAnswer | null {
  const [callback_id, verification_key] = ['$.callbackId', '$.verificationKey'].map(
    (path) => view.values({ json: path })[0] ?? '',
  ) as [string, string]
  // Once it is set up, nobody may change them.
  if (view.configured('verification_key').length > 0) return null
  const isShort = [callback_id, verification_key].every((one) => /^[\x21-\x7e]{1,256}$/.test(one))
  if (!isShort) return null
  return { status: 200, headers: {}, body: '', learned: { callback_id, verification_key } }
}
