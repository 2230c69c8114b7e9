/** The preset of HCP Terraform Run Tasks. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'hcp-terraform-run-task',
  name: 'HCP Terraform Run Tasks',
  description: 'HCP Terraform run-task requests.',
  mode: 'hmac',
  docs: 'https://developer.hashicorp.com/terraform/cloud-docs/api-docs/run-tasks/run-tasks-integration',
  configKeys: [SECRET],
  verify: bodyHmac('X-TFC-Task-Signature', { algorithm: 'sha512' }),
  eventType: ['$.stage'],
  deliveryId: ['$.task_result_id'],
  accepted: { status: 200 },
  notes:
    'Give the run task an HMAC key and enter it as secret. Its result must be sent to HCP Terraform by whoever gets the event.',
}
