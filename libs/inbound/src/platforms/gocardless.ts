/** The preset of GoCardless. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'gocardless',
  name: 'GoCardless',
  description: 'Direct-debit event batches signed over the raw body',
  mode: 'hmac',
  docs: 'https://developer.gocardless.com/getting-started/stay-up-to-date-with-webhooks-v2/',
  configKeys: [SECRET],
  verify: bodyHmac('Webhook-Signature'),
  eventType: ['$.events[*].action'],
  deliveryId: ['$.meta.webhook_id'],
  notes: 'A request holds several events, which travel as one; its type is that of the first.',
}
