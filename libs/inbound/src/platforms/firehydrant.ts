/** The preset of FireHydrant. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'firehydrant',
  name: 'FireHydrant',
  description: 'FireHydrant runbook webhook step and webhook endpoints.',
  mode: 'hmac',
  docs: 'https://docs.firehydrant.com/docs/runbook-step-send-a-webhook',
  configKeys: [SECRET],
  verify: bodyHmac('fh-signature'),
  eventType: ['{$.event.resource_type}.{$.event.operation}', '$.event.resource_type'],
  deliveryId: [],
  notes:
    'In a runbook’s step the body is yours: the type is found where it has the fields of FireHydrant’s own events.',
}
