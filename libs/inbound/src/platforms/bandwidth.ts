/** The preset of Bandwidth. */
import type { Preset } from '../preset.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'bandwidth',
  name: 'Bandwidth',
  description: 'Bandwidth voice and messaging callbacks.',
  mode: 'basic_auth',
  docs: 'https://dev.bandwidth.com/docs/messaging/webhooks/',
  configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
  verify: { kind: 'basic' },
  eventType: ['$[*].type', '$.eventType'],
  deliveryId: ['{$[*].type}:{$[*].message.id}:{$[*].to}', '{$.eventType}:{$.callId}:{$.eventTime}'],
  notes:
    'Enter the callback credentials of the application. Not confirmed by the platform’s documents.',
}
