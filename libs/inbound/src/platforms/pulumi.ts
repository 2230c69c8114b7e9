/** The preset of Pulumi. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'pulumi',
  name: 'Pulumi',
  description: 'Pulumi Cloud stack, deployment and environment webhooks.',
  mode: 'hmac',
  docs: 'https://www.pulumi.com/docs/pulumi-cloud/webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('Pulumi-Webhook-Signature'),
  eventType: ['$.headers.Pulumi-Webhook-Kind'],
  deliveryId: ['$.headers.Pulumi-Webhook-ID'],
}
