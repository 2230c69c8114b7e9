/** The preset of Honeybadger. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'honeybadger',
  name: 'Honeybadger',
  description:
    'Honeybadger error, uptime and check-in webhooks identified by a static token header.',
  mode: 'token',
  docs: 'https://docs.honeybadger.io/integrations/webhook',
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: true,
      meaning: 'The token that Honeybadger sends.',
    },
  ],
  verify: {
    kind: 'any',
    of: [
      { kind: 'token', at: { header: 'Honeybadger-Token' }, config: 'secret' },
      { kind: 'token', at: { header: 'Authorization' }, scheme: 'Bearer ', config: 'secret' },
    ],
  },
  eventType: ['$.event'],
  deliveryId: [],
  notes:
    'Honeybadger signs nothing: it sends a token. The header Honeybadger-Token is not confirmed by the page on webhooks.',
}
