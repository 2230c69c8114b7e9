/** The preset of Figma. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
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
}
