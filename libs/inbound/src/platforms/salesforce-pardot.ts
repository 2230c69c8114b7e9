/** The preset of Salesforce Account Engagement (Pardot). */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'salesforce-pardot',
  name: 'Salesforce Account Engagement (Pardot)',
  description:
    'Has no outbound webhook product of its own; External Actions call Salesforce invocable actions instead',
  mode: 'none',
  docs: 'https://developer.salesforce.com/docs/marketing/pardot/guide/external-actions-guide.html',
  configKeys: [HEADER_NAME, SHARED_SECRET],
  verify: namedHeader(),
  eventType: ['$.type', '$.event'],
  deliveryId: [],
  notes:
    'Account Engagement sends no webhooks: have a Flow or Apex callout post here with a header of your choice. Outbound Messages of Salesforce itself are SOAP, and are not read.',
}
