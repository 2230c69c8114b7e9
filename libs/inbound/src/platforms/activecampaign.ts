/** The preset of ActiveCampaign. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'activecampaign',
  name: 'ActiveCampaign',
  description: 'ActiveCampaign contact, campaign and deal webhooks.',
  mode: 'token',
  docs: 'https://developers.activecampaign.com/page/webhooks',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  eventType: ['$.type'],
  deliveryId: [],
  notes:
    'ActiveCampaign signs nothing: the token in the URL is all that protects the inbound endpoint. Not confirmed by the platform’s documents.',
}
