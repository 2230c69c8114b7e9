/** The preset of Onfido (Entrust). */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'onfido',
  name: 'Onfido (Entrust)',
  description: 'Onfido check, report and Studio workflow events.',
  mode: 'hmac',
  docs: 'https://documentation.onfido.com/api/latest/#verifying-webhook-signatures',
  configKeys: [SECRET],
  verify: bodyHmac('X-SHA2-Signature'),
  eventType: ['$.payload.action'],
  deliveryId: [],
}
