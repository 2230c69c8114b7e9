/** The platforms from Grafana Alerting to Gusto. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { learnGustoToken } from '../odd/gusto.ts'
import { HEADER_NAME, OPTIONAL_SECRET, PASSWORD, SECRET, USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const grGu: readonly Preset[] = [
  {
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
  },
  {
    source: 'greenhouse',
    name: 'Greenhouse',
    description: 'Greenhouse Recruiting and Onboarding web hooks.',
    mode: 'hmac',
    docs: 'https://developers.greenhouse.io/webhooks.html',
    configKeys: [SECRET],
    verify: bodyHmac('Signature', { prefix: 'sha256 ' }),
    eventType: ['$.action'],
    deliveryId: ['$.headers.Greenhouse-Event-ID'],
  },
  {
    source: 'gusto',
    name: 'Gusto',
    description:
      "Gusto Embedded / app-integration webhooks signed with the subscription's verification token.",
    mode: 'hmac',
    docs: 'https://docs.gusto.com/embedded-payroll/docs/webhooks',
    configKeys: [
      {
        name: 'secret',
        secret: true,
        required: false,
        meaning: 'The verification token, once the subscription is verified.',
      },
      {
        name: 'verification_token',
        secret: false,
        required: false,
        meaning:
          'As Gusto sent it when the subscription was made: shown here, so that you can give it back.',
      },
    ],
    verify: {
      kind: 'any',
      of: [
        bodyHmac('X-Gusto-Signature'),
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          signature: { at: { header: 'X-Gusto-Signature' } },
          signed: '{body}',
          key: { config: 'verification_token' },
          needs: ['verification_token'],
        },
      ],
    },
    handshakes: [
      {
        when: {
          method: 'POST',
          has: [{ json: '$.verification_token' }],
          hasNot: [{ header: 'X-Gusto-Signature' }],
        },
        odd: learnGustoToken,
      },
    ],
    eventType: ['$.event_type'],
    deliveryId: ['$.uuid'],
    notes:
      'Make the subscription with the URL of this receiver. The token that Gusto sends appears as verification_token: give it to Gusto (PUT /v1/webhook_subscriptions/<uuid>/verify), then enter it as secret and leave verification_token out, so that it is no longer shown. That the signature is in hex is not confirmed by the platform’s documents.',
  },
]
