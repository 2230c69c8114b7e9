/** The preset of Rollbar. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'rollbar',
  name: 'Rollbar',
  description:
    'Rollbar notification webhooks (items, occurrences, deploys); no documented signature.',
  mode: 'token',
  docs: 'https://docs.rollbar.com/docs/webhooks',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  eventType: ['$.event_name'],
  deliveryId: [],
  notes: 'Rollbar signs nothing: whoever knows the URL with its token is believed.',
}
