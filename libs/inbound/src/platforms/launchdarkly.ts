/** The preset of LaunchDarkly. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'launchdarkly',
  name: 'LaunchDarkly',
  description: 'LaunchDarkly audit/flag change webhooks with an optional HMAC signature.',
  mode: 'hmac',
  docs: 'https://launchdarkly.com/docs/home/infrastructure/webhooks',
  configKeys: [SECRET],
  verify: bodyHmac('X-LD-Signature'),
  eventType: ['$.accesses[*].action', '$.titleVerb', '$.kind'],
  deliveryId: ['$._id'],
  notes: 'Switch on signing for the webhook.',
}
