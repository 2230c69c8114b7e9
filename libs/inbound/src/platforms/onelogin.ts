/** The preset of OneLogin. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'onelogin',
  name: 'OneLogin',
  description:
    'OneLogin event webhooks (event broadcaster) posting batches of events; custom headers only.',
  mode: 'token',
  docs: 'https://developers.onelogin.com/api-docs/1/events/webhooks',
  configKeys: [HEADER_NAME, SHARED_SECRET],
  verify: namedHeader(),
  eventType: ['$[*].event_type_id'],
  deliveryId: ['$[*].uuid'],
  notes:
    'Add a custom header to the webhook, and choose the format JSON Array: lines of JSON become text. A request holds a batch of events.',
}
