/** The preset of RingCentral. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'ringcentral',
  name: 'RingCentral',
  description: 'RingCentral subscription notifications over WebHook transport.',
  mode: 'token',
  docs: 'https://developers.ringcentral.com/guide/notifications/webhooks/creating-webhooks',
  configKeys: [
    {
      name: 'token',
      secret: true,
      required: true,
      meaning: 'The subscription’s verificationToken, or its validation token.',
    },
  ],
  verify: {
    kind: 'any',
    of: [
      { kind: 'token', at: { header: 'Verification-Token' }, config: 'token' },
      { kind: 'token', at: { header: 'Validation-Token' }, config: 'token' },
    ],
  },
  handshakes: [
    {
      when: { method: 'POST', has: [{ header: 'Validation-Token' }], emptyBody: true },
      echo: { header: 'Validation-Token' },
      as: { header: 'Validation-Token' },
    },
  ],
  eventType: ['$.event'],
  deliveryId: ['$.uuid'],
}
