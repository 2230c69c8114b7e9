/** The preset of Standard Webhooks. */
import type { Preset } from '../preset.ts'
import type { AsymmetricRule } from '../verification-rules.ts'
import { OPTIONAL_SECRET, PUBLIC_KEY } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

/** The signature of senders that have a key pair of their own. */
const STANDARD_WEBHOOKS_ED25519: AsymmetricRule = {
  kind: 'asymmetric',
  algorithm: 'ed25519',
  encoding: 'base64',
  signature: {
    at: { header: 'webhook-signature' },
    format: { kind: 'list', separator: ' ', prefix: 'v1a,' },
  },
  signed: '{header:webhook-id}.{t}.{body}',
  key: { config: 'public_key' },
  timestamp: { at: { header: 'webhook-timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
  needs: ['public_key'],
}

export const preset: Preset = {
  source: 'standard-webhooks',
  name: 'Standard Webhooks',
  description: 'Generic receiver for any sender that follows the Standard Webhooks specification.',
  mode: 'hmac_timestamped',
  docs: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  configKeys: [
    { ...OPTIONAL_SECRET, meaning: 'The secret, whsec_…. This or a public key.' },
    {
      ...PUBLIC_KEY,
      required: false,
      meaning: 'The public key, whpk_…, of a sender that signs with its own.',
    },
  ],
  verify: {
    kind: 'any',
    of: [{ ...standardWebhooks('webhook'), needs: ['secret'] }, STANDARD_WEBHOOKS_ED25519],
  },
  eventType: ['$.type'],
  deliveryId: ['$.headers.webhook-id'],
}
