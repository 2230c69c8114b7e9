/** The preset of Aircall. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'aircall',
  name: 'Aircall',
  description: 'Aircall call, contact, user and number events.',
  mode: 'token',
  docs: 'https://developer.aircall.io/tutorials/webhooks-guide/',
  configKeys: [
    {
      name: 'token',
      secret: true,
      required: true,
      meaning: 'The token that Aircall answered when the webhook was made.',
    },
  ],
  verify: { kind: 'token', at: { json: '$.token' }, config: 'token' },
  eventType: ['$.event'],
  deliveryId: ['{$.data.id}:{$.event}:{$.timestamp}'],
  notes: 'Aircall signs nothing: a token in the body says who sends.',
}
