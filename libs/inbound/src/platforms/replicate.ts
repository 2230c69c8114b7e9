/** The preset of Replicate. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'replicate',
  name: 'Replicate',
  description:
    'Prediction and training lifecycle callbacks from Replicate, signed per Standard Webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://replicate.com/docs/topics/webhooks/verify-webhook',
  configKeys: [SECRET],
  verify: standardWebhooks('webhook'),
  eventType: ['$.status'],
  deliveryId: ['$.headers.webhook-id'],
  notes: 'The body is the prediction itself: its status, as succeeded, stands for the type.',
}
