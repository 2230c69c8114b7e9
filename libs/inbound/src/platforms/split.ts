/** The preset of Split / Harness FME. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'split',
  name: 'Split / Harness FME',
  description:
    'Split (Harness Feature Management) audit-log and admin-audit-log webhooks; no signature.',
  mode: 'token',
  docs: 'https://developer.harness.io/docs/feature-management-experimentation/api/webhook/audit-logs',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  eventType: ['$.auditLogType', '$.type'],
  deliveryId: ['{$.name}:{$.changeNumber}', '$.id'],
  accepted: { status: 200 },
  notes: 'Split signs nothing: whoever knows the URL with its token is believed.',
}
