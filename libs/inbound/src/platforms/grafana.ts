/** The preset of Grafana Alerting. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, OPTIONAL_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'grafana',
  name: 'Grafana Alerting',
  description:
    'Grafana webhook contact point, with optional HMAC signature, basic auth or Authorization header.',
  mode: 'hmac',
  docs: 'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
  configKeys: [
    OPTIONAL_SECRET,
    {
      ...HEADER_NAME,
      meaning: 'The header that holds the signature. Default: X-Grafana-Alerting-Signature.',
    },
    {
      name: 'timestamp_header',
      secret: false,
      required: false,
      meaning: 'The timestamp header of the contact point, when it has one.',
    },
    USERNAME,
    PASSWORD,
    {
      name: 'auth_token',
      secret: true,
      required: false,
      meaning: 'The credentials of its Authorization header.',
    },
  ],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: { at: { headerNamedBy: 'header_name', or: 'X-Grafana-Alerting-Signature' } },
        signed: '{t}:{body}',
        timestamp: {
          at: { headerNamedBy: 'timestamp_header' },
          unit: 'seconds',
          toleranceSeconds: null,
        },
        needs: ['secret', 'timestamp_header'],
      },
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: { at: { headerNamedBy: 'header_name', or: 'X-Grafana-Alerting-Signature' } },
        signed: '{body}',
        needs: ['secret', '!timestamp_header'],
      },
      BASIC,
      {
        kind: 'token',
        at: { header: 'Authorization' },
        scheme: 'Bearer ',
        optionalScheme: true,
        config: 'auth_token',
        needs: ['auth_token'],
      },
    ],
  },
  eventType: ['$.status'],
  deliveryId: [],
  notes:
    'Set what the contact point sends: the secret of its HMAC signature, a user name and a password, or its Authorization header. Of several that are set one is enough.',
}
