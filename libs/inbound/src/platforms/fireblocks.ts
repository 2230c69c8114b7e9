/** The preset of Fireblocks. */
import type { Preset } from '../preset.ts'
import { verifyFireblocks } from './fireblocks.verifier.ts'

export const preset: Preset = {
  source: 'fireblocks',
  name: 'Fireblocks',
  description: 'Fireblocks Webhooks v2 (transactions, vaults, approvals).',
  mode: 'asymmetric',
  docs: 'https://developers.fireblocks.com/reference/validating-webhooks',
  configKeys: [
    {
      name: 'environment',
      secret: false,
      required: false,
      meaning: 'Where the workspace is. Default: us.',
      values: ['us', 'eu', 'eu2', 'sandbox'],
    },
  ],
  verify: { kind: 'custom', verify: verifyFireblocks, headers: ['Fireblocks-Webhook-Signature'] },
  eventType: ['$.eventType'],
  deliveryId: ['$.id'],
  notes:
    'For Webhooks v2. The keys are the same for every customer of Fireblocks: keep the URL to yourself.',
}
