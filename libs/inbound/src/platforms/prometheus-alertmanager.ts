/** The preset of Prometheus Alertmanager. */
import type { Preset } from '../preset.ts'
import type { TokenRule } from '../verification-rules.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { BASIC, namedHeader } from '../schemes/static-credentials.ts'

/** Alertmanager writes a scheme before its credentials. */
const BEARER_OR_NAMED: TokenRule = { ...namedHeader(), scheme: 'Bearer ', optionalScheme: true }

export const preset: Preset = {
  source: 'prometheus-alertmanager',
  name: 'Prometheus Alertmanager',
  description:
    'Alertmanager webhook receiver notifications; authentication is whatever http_config sets.',
  mode: 'token',
  docs: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
  configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
  verify: { kind: 'any', of: [BEARER_OR_NAMED, BASIC] },
  eventType: ['$.status'],
  deliveryId: [],
  notes:
    'Set authorization, basic_auth or http_headers in the receiver’s http_config. Nothing is signed.',
}
