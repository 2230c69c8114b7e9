/** The preset of Copper. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'copper',
  name: 'Copper',
  description: 'Copper CRM webhook subscriptions.',
  mode: 'token',
  docs: 'https://developer.copper.com/webhooks/overview.html',
  configKeys: [
    {
      name: 'secret_key_name',
      secret: false,
      required: true,
      meaning:
        'The name of the member of the body that holds the secret, as given when the subscription was made.',
    },
    { name: 'secret', secret: true, required: true, meaning: 'Its value.' },
  ],
  verify: { kind: 'token', at: { memberNamedBy: 'secret_key_name' }, config: 'secret' },
  eventType: ['$.event'],
  deliveryId: [],
  notes:
    'Copper signs nothing: it repeats the secret in every body. Not confirmed by the platform’s documents.',
}
