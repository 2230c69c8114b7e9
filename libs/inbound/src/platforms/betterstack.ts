/** The preset of Better Stack. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { headerOrBasic } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'betterstack',
  name: 'Better Stack',
  description:
    'Better Stack uptime/incident outgoing webhooks; optional basic auth and custom headers, no signature.',
  mode: 'token',
  docs: 'https://betterstack.com/docs/uptime/api/outgoing-webhook-integrations/',
  configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
  verify: headerOrBasic(),
  eventType: ['$.event_type'],
  deliveryId: [],
  notes:
    'Set what the outgoing webhook sends: a header of its own (header_name and secret), or a user name and a password. Its body is a template of yours, so the type is only found where the template has event_type. Not confirmed by the platform’s documents.',
}
