/** The preset of Mailchimp. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'mailchimp',
  name: 'Mailchimp',
  description: 'Mailchimp Marketing audience webhooks.',
  mode: 'token',
  docs: 'https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  handshakes: [{ when: { method: 'GET' }, answer: { status: 200 } }],
  eventType: ['$.type'],
  deliveryId: [],
  notes: 'Mailchimp signs nothing: whoever knows the URL with its token is believed.',
}
