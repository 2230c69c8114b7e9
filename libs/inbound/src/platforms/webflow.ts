/** The preset of Webflow. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'webflow',
  name: 'Webflow',
  description: 'Webflow site, form and CMS webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://developers.webflow.com/data/docs/working-with-webhooks',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'x-webflow-signature' } },
    signed: '{t}:{body}',
    timestamp: {
      at: { header: 'x-webflow-timestamp' },
      unit: 'milliseconds',
      toleranceSeconds: 300,
    },
  },
  eventType: ['$.triggerType'],
  deliveryId: [],
  notes:
    'Webhooks made in the dashboard are signed when an OAuth app, or since April 2025 a site token, made them; others are refused.',
}
