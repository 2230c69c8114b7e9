/** The preset of Amazon EventBridge API destinations. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { headerOrBasic } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'aws-eventbridge',
  name: 'Amazon EventBridge API destinations',
  description:
    'EventBridge rules or pipes calling an API destination, authenticated by the connection you configure.',
  mode: 'token',
  docs: 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-api-destinations.html',
  configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
  verify: headerOrBasic(),
  eventType: ['$.detail-type'],
  deliveryId: ['$.id'],
  notes:
    'Set what the connection of the API destination sends: an API key (header_name and secret), or a user name and a password. OAuth tokens change, and can’t be checked. Types and ids are found when no input transformer changes the event.',
}
