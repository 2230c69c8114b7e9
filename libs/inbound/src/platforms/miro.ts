/** The preset of Miro. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'miro',
  name: 'Miro',
  description: 'Miro board webhooks (experimental REST API).',
  mode: 'token',
  docs: 'https://developers.miro.com/docs/webhooks',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
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
  deliveryId: [],
  notes:
    'Miro signs nothing. It has announced the end of these experimental webhooks for December 2025.',
}
