/** The preset of Auth0. */
import type { Preset } from '../preset.ts'
import { SHARED_SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'auth0',
  name: 'Auth0',
  description: 'Auth0 log streams (custom webhook) with a static Authorization value.',
  mode: 'token',
  docs: 'https://auth0.com/docs/customize/log-streams/custom-log-streams',
  configKeys: [SHARED_SECRET],
  verify: { kind: 'token', at: { header: 'Authorization' }, config: 'secret' },
  eventType: ['$.data.type', '$[*].data.type'],
  deliveryId: ['$.log_id', '$[*].log_id'],
  notes:
    'Enter the authorization token of the log stream here, letter by letter. As content format choose JSON Object or JSON Array.',
}
