/** The preset of Flutterwave (v3). */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'flutterwave',
  name: 'Flutterwave (v3)',
  description: 'Flutterwave v3 webhooks (secret hash).',
  mode: 'token',
  docs: 'https://developer.flutterwave.com/v3.0/docs/webhooks',
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: true,
      meaning: 'The secret hash of the dashboard.',
    },
  ],
  verify: { kind: 'token', at: { header: 'verif-hash' }, config: 'secret' },
  eventType: ['$.event'],
  deliveryId: ['{$.event}:{$.data.id}:{$.data.status}', '{$.event}:{$.data.id}'],
  notes:
    'Version 3 signs nothing: it sends the secret hash itself. Use flutterwave-v4 where you can.',
}
