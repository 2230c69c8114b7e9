/** The preset of Xero. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'xero',
  name: 'Xero',
  description:
    'Accounting events signed over the raw body, with an intent-to-receive check at set-up',
  mode: 'hmac',
  docs: 'https://developer.xero.com/documentation/guides/webhooks/configuring-your-server/',
  configKeys: [{ ...SECRET, meaning: 'The webhook’s signing key.' }],
  verify: bodyHmac('x-xero-signature', { encoding: 'base64' }),
  handshakes: [
    {
      // Xero asks with right and with wrong signatures, and expects a 401 for a wrong one.
      signed: true,
      when: {
        method: 'POST',
        has: [{ json: '$.entropy' }],
        hasNot: [{ json: '$.events[*].eventType' }],
      },
      answer: { status: 200 },
    },
  ],
  eventType: ['{$.events[0].eventCategory}.{$.events[0].eventType}', '$.events[*].eventType'],
  deliveryId: ['{$.firstEventSequence}:{$.lastEventSequence}:{$.events[*].resourceId}'],
  accepted: { status: 200, body: '' },
  notes: 'A request may hold several events: they are one event here, named by the first.',
}
