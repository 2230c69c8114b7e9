/** The preset of BugSnag. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'bugsnag',
  name: 'BugSnag',
  description:
    'BugSnag project webhooks for new errors, spikes, releases and so on; no documented signature.',
  mode: 'token',
  docs: 'https://docs.bugsnag.com/product/integrations/data-forwarding/webhook/',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  eventType: ['$.trigger.type'],
  deliveryId: [],
  notes: 'BugSnag signs nothing: the token in the URL is all that protects the inbound endpoint.',
}
