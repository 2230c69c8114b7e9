/** The preset of HubSpot (v1). */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'hubspot-v1',
  name: 'HubSpot (v1)',
  description: 'Original HubSpot app webhooks with a plain SHA-256 of secret and body',
  mode: 'provider_specific',
  docs: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'X-HubSpot-Signature' } },
    signed: '{key}{body}',
    bareHash: true,
  },
  eventType: ['$[*].subscriptionType'],
  deliveryId: ['{$[*].eventId}:{$[*].subscriptionId}:{$[*].occurredAt}'],
  notes:
    'The secret is the client secret of the app. This is HubSpot’s oldest and weakest signature: use hubspot where you can.',
}
