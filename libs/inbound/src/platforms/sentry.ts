/** The preset of Sentry. */
import type { Preset } from '../preset.ts'
import type { HmacRule } from '../verification-rules.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'sentry',
  name: 'Sentry',
  description:
    "Sentry integration-platform webhooks (issues, errors, comments, alerts) signed with the integration's client secret.",
  mode: 'hmac',
  docs: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
  configKeys: [SECRET],
  verify: {
    kind: 'any',
    // The second header is the one of requests of UI components.
    of: ['Sentry-Hook-Signature', 'Sentry-App-Signature'].map(sentrySignature),
  },
  eventType: ['{$.headers.Sentry-Hook-Resource}.{$.action}', '$.headers.Sentry-Hook-Resource'],
  deliveryId: [],
  notes:
    'The secret is the client secret of the integration. The old WebHooks plugin signs nothing and is refused.',
}

function sentrySignature(header: string): HmacRule {
  return {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header } },
    signed: '{body}',
  }
}
