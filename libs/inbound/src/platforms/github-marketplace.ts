/** The preset of GitHub Marketplace. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'github-marketplace',
  name: 'GitHub Marketplace',
  description: 'GitHub Marketplace listing purchase events (same scheme for GitHub Apps).',
  mode: 'hmac',
  docs: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
  configKeys: [SECRET],
  verify: bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' }),
  eventType: ['$.headers.X-GitHub-Event'],
  deliveryId: ['$.headers.X-GitHub-Delivery'],
}
