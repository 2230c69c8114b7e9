/**
 * Asana sends the secret itself, once, when the webhook is created: it is stored, and sent back.
 */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

export const preset: Preset = {
  source: 'asana',
  name: 'Asana',
  description: 'Resource-change batches signed with a secret exchanged in the creation handshake',
  mode: 'hmac',
  docs: 'https://developers.asana.com/docs/webhooks-guide',
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: false,
      meaning:
        'Asana sends it itself when the webhook is made, and it is kept. Enter it only for a webhook that was made elsewhere.',
    },
  ],
  verify: bodyHmac('X-Hook-Signature'),
  handshakes: [
    {
      when: {
        method: 'POST',
        has: [{ header: 'X-Hook-Secret' }],
        hasNot: [{ header: 'X-Hook-Signature' }],
      },
      custom: learnAsanaSecret,
    },
  ],
  eventType: ['$.events[*].action'],
  deliveryId: [],
  notes:
    'Make the webhook in Asana with the URL of this inbound endpoint: the secret comes with its first request. A second webhook needs an inbound endpoint of its own.',
}

function learnAsanaSecret(view: RequestView): HandshakeAnswer | null {
  const secret = view.header('x-hook-secret')
  // Whoever knows the URL could send another secret: it is ignored once there is one.
  if (secret === undefined || view.configured('secret').length > 0) return null
  if (!/^[\x21-\x7e]{1,256}$/.test(secret)) return null
  return { status: 200, headers: { 'X-Hook-Secret': secret }, body: '', learned: { secret } }
}
