/** The preset of Canva. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'canva',
  name: 'Canva',
  description: 'Canva Connect API webhooks (preview).',
  mode: 'jwt',
  docs: 'https://www.canva.dev/docs/connect/webhooks/',
  configKeys: [
    {
      name: 'client_id',
      secret: false,
      required: true,
      meaning: 'The client id of the integration.',
    },
  ],
  verify: {
    kind: 'jwt',
    at: { wholeBody: true },
    algorithms: ['EdDSA'],
    key: { jwks: 'https://api.canva.com/rest/v1/connect/keys' },
    audience: { config: 'client_id' },
    maxAgeSeconds: 300,
    event: {},
  },
  eventType: ['$.content.type'],
  deliveryId: [],
  notes:
    'Canva’s webhooks are a preview, closed to public integrations. That the body is a token is not confirmed by the platform’s documents.',
}
