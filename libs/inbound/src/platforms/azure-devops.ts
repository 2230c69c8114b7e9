/** The preset of Azure DevOps. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { headerOrBasic } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'azure-devops',
  name: 'Azure DevOps',
  description:
    'Azure DevOps service-hook web hooks (git, build, work item, release) with optional basic auth and headers.',
  mode: 'basic_auth',
  docs: 'https://learn.microsoft.com/azure/devops/service-hooks/services/webhooks',
  configKeys: [USERNAME, PASSWORD, HEADER_NAME, OPTIONAL_SHARED_SECRET],
  verify: headerOrBasic(),
  eventType: ['$.eventType'],
  deliveryId: ['$.id'],
  notes:
    'Set what the service hook’s subscription sends: a user name and a password, or a header of its own (header_name and secret).',
}
