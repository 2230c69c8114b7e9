/** The preset of HCP Terraform. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'hcp-terraform',
  name: 'HCP Terraform',
  description: 'HCP Terraform / Terraform Enterprise run notifications.',
  mode: 'hmac',
  docs: 'https://developer.hashicorp.com/terraform/cloud-docs/workspaces/settings/notifications#notification-authenticity',
  configKeys: [SECRET],
  verify: bodyHmac('X-TFE-Notification-Signature', { algorithm: 'sha512' }),
  eventType: ['$.notifications[*].trigger'],
  deliveryId: ['{$.run_id}:{$.notifications[*].trigger}:{$.notifications[*].run_status}'],
  notes:
    'Give the notification a token and enter it as secret. The first, a verification, is an event like any other.',
}
