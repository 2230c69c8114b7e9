/** The preset of Railway. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'railway',
  name: 'Railway',
  description: 'Railway deployment status and resource alerts; requests are not signed.',
  mode: 'token',
  docs: 'https://docs.railway.com/observability/webhooks',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  eventType: ['$.type'],
  deliveryId: [],
  notes:
    'Railway signs nothing: whoever knows the URL with its token is believed. Its test is sent by your browser, which may not let it out.',
}
