/** The preset of QuickBooks Online (Intuit). */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'quickbooks',
  name: 'QuickBooks Online (Intuit)',
  description: 'Accounting entity changes signed over the raw body with the app verifier token',
  mode: 'hmac',
  docs: 'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/managing-webhooks-notifications',
  configKeys: [SECRET],
  verify: bodyHmac('intuit-signature', { encoding: 'base64' }),
  eventType: [
    '$[*].type',
    '{$.eventNotifications[*].dataChangeEvent.entities[*].name}.{$.eventNotifications[*].dataChangeEvent.entities[*].operation}',
  ],
  deliveryId: ['$[*].id'],
  accepted: { status: 200 },
  notes:
    'The secret is the app’s verifier token. A request may hold several changes: they are one event here, named by the first.',
}
