/** The preset of Circle. */
import type { Preset } from '../preset.ts'
import { verifyCircle } from './circle.verifier.ts'

export const preset: Preset = {
  source: 'circle',
  name: 'Circle',
  description: 'Circle Wallets (W3S), CPN and v2 notifications.',
  mode: 'asymmetric',
  docs: 'https://developers.circle.com/w3s/webhook-notifications',
  configKeys: [
    {
      name: 'api_key',
      secret: true,
      required: true,
      meaning: 'An API key of Circle: its public keys are shown to its customers alone.',
    },
  ],
  verify: { kind: 'custom', verify: verifyCircle, headers: ['X-Circle-Signature'] },
  handshakes: [{ when: { method: 'HEAD' }, answer: { status: 200 } }],
  eventType: ['$.notificationType'],
  deliveryId: ['$.notificationId'],
  notes:
    'For wallets, the payments network and other notifications of version 2. Circle Mint sends through Amazon SNS: use aws-sns for it.',
}
