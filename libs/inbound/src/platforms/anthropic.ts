/** The preset of Anthropic (Claude Managed Agents). */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const preset: Preset = {
  source: 'anthropic',
  name: 'Anthropic (Claude Managed Agents)',
  description:
    'Claude Managed Agents session, vault, agent and environment events, signed per Standard Webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://platform.claude.com/docs/en/managed-agents/webhooks',
  configKeys: [SECRET],
  verify: standardWebhooks('webhook'),
  eventType: ['$.data.type'],
  deliveryId: ['$.id', '$.headers.webhook-id'],
  notes: 'For Claude Managed Agents. Message batches have no webhooks.',
}
