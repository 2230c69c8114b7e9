/** The preset of Opsgenie. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'opsgenie',
  name: 'Opsgenie',
  description: 'Opsgenie outgoing webhook integration; only custom headers for authentication.',
  mode: 'token',
  docs: 'https://support.atlassian.com/opsgenie/docs/integrate-opsgenie-with-outgoing-webhooks/',
  configKeys: [HEADER_NAME, SHARED_SECRET],
  verify: namedHeader(),
  eventType: ['$.action'],
  deliveryId: [],
  notes: 'Add a custom header to the integration. Atlassian retires Opsgenie in 2027.',
}
