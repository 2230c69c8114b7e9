/** The preset of LINE. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'line',
  name: 'LINE',
  description: 'LINE Messaging API bot events.',
  mode: 'hmac',
  docs: 'https://developers.line.biz/en/reference/messaging-api/#signature-validation',
  configKeys: [SECRET],
  verify: bodyHmac('X-Line-Signature', { encoding: 'base64' }),
  eventType: ['$.events[*].type'],
  deliveryId: ['$.events[*].webhookEventId'],
  accepted: { status: 200 },
  notes:
    'The secret is the channel secret. The console’s Verify sends a list of no events, which is an event of type line.event.',
}
