/** The preset of Atlassian Statuspage. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'
import { withKind } from '../schemes/member-named.ts'

export const preset: Preset = {
  source: 'statuspage',
  name: 'Atlassian Statuspage',
  description: 'Statuspage subscriber webhooks for incident and component updates; not signed.',
  mode: 'token',
  docs: 'https://support.atlassian.com/statuspage/docs/enable-webhook-notifications/',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  unpack: (document) =>
    withKind(document, (name) => name === 'incident' || name === 'component_update'),
  eventType: ['$.kind'],
  deliveryId: ['$.incident.incident_updates[0].id', '$.component_update.id'],
  notes: 'Statuspage signs nothing: whoever knows the URL with its token is believed.',
}
