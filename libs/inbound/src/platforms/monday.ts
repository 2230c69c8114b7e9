/** The preset of monday.com. */
import type { Preset } from '../preset.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'monday',
  name: 'monday.com',
  description:
    'Board webhooks; app-created ones carry a JWT, others are unsigned, all need a challenge echo',
  mode: 'jwt',
  docs: 'https://developer.monday.com/apps/docs/integration-authorization',
  configKeys: [
    {
      ...SECRET,
      meaning: 'The app’s signing secret; its client secret for webhooks of the app’s life cycle.',
    },
    WEBHOOK_URL,
  ],
  verify: {
    kind: 'jwt',
    at: { header: 'Authorization' },
    scheme: 'Bearer ',
    optionalScheme: true,
    algorithms: ['HS256'],
    key: { config: 'secret', as: 'utf8' },
    audience: 'webhook-url',
    // Monday's tokens live five minutes, and clocks differ by one; a token without an end would be
    // valid for ever.
    maxAgeSeconds: 360,
  },
  handshakes: [
    {
      when: {
        method: 'POST',
        has: [{ json: '$.challenge' }],
        hasNot: [{ json: '$.event.type' }],
      },
      echo: { json: '$.challenge' },
      as: { json: 'challenge' },
    },
  ],
  eventType: ['$.event.type', '$.type'],
  deliveryId: ['$.event.triggerUuid'],
  notes:
    'Webhooks made by hand or with a personal token carry nothing to check and are refused: make them with an app. The token is for the sender, not for the body.',
}
