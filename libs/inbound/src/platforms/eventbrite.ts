/** The preset of Eventbrite. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'eventbrite',
  name: 'Eventbrite',
  description: 'Eventbrite attendee, order and event webhooks.',
  mode: 'token',
  docs: 'https://www.eventbrite.com/platform/docs/webhooks',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  eventType: ['$.config.action', '$.headers.X-Eventbrite-Event'],
  deliveryId: ['$.headers.X-Eventbrite-Delivery'],
  notes:
    'Eventbrite signs nothing: the token in the URL is all that protects the inbound endpoint, so ask Eventbrite for what api_url names. Not confirmed by the platform’s documents.',
}
