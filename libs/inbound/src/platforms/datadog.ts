/** The preset of Datadog. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { headerOrBasic } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'datadog',
  name: 'Datadog',
  description:
    'Datadog webhooks integration (@webhook-name); custom headers, URL basic auth or OAuth2, no signature.',
  mode: 'token',
  docs: 'https://docs.datadoghq.com/integrations/webhooks/',
  configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
  verify: headerOrBasic(),
  eventType: ['$.event_type'],
  deliveryId: ['$.id'],
  notes:
    'Set what the webhook sends: a custom header (header_name and secret), or the user name and password of its URL. The body is a template of yours: types and ids are found where it has event_type and id.',
}
