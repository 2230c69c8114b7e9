/** The preset of Freshdesk. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'freshdesk',
  name: 'Freshdesk',
  description: 'Automation "Trigger webhook" calls; not signed, you choose the auth header',
  mode: 'token',
  docs: 'https://support.freshdesk.com/support/solutions/articles/132589-using-webhooks-in-automation-rules',
  configKeys: [SHARED_SECRET, HEADER_NAME],
  verify: namedHeader(),
  eventType: [],
  deliveryId: [],
  notes:
    'Freshdesk signs nothing. Add a header of your own to the rule’s webhook (header_name and secret), or enter the whole Authorization value that it sends. The body is yours, too. Not confirmed by the platform’s documents.',
}
