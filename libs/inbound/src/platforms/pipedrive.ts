/** The preset of Pipedrive. */
import type { Preset } from '../preset.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'pipedrive',
  name: 'Pipedrive',
  description: 'Pipedrive webhooks v1/v2.',
  mode: 'basic_auth',
  docs: 'https://pipedrive.readme.io/docs/guide-for-webhooks-v2',
  configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
  verify: BASIC,
  eventType: ['{$.meta.action}.{$.meta.entity}', '$.event'],
  // In version 1 that id belongs to the changed object.
  deliveryId: ['{$.meta.entity_id}:{$.meta.id}'],
  notes: 'Give the webhook an HTTP user and password. Nothing is signed.',
}
