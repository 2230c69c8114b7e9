/** The preset of OpenAI. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'openai',
  name: 'OpenAI',
  description:
    'OpenAI API events (background responses, batches, fine-tuning, evals, realtime calls) using Standard Webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://platform.openai.com/docs/guides/webhooks',
  configKeys: [SECRET],
  // A secret without whsec_ is used as it is, as OpenAI's library does.
  verify: { kind: 'any', of: [standardWebhooks('webhook'), standardWebhooks('webhook', 'utf8')] },
  eventType: ['$.type'],
  deliveryId: ['$.headers.webhook-id'],
}
