/** The preset of HubSpot (v2). */
import type { Preset } from '../preset.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'hubspot-v2',
  name: 'HubSpot (v2)',
  description:
    'Older HubSpot requests (workflow webhooks, CRM cards) with a plain SHA-256 of secret, method, URI and body',
  mode: 'provider_specific',
  docs: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation',
  configKeys: [SECRET, WEBHOOK_URL],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'X-HubSpot-Signature' } },
    signed: '{key}{method}{url}{body}',
    bareHash: true,
  },
  eventType: ['$[*].subscriptionType'],
  deliveryId: [],
  notes:
    'The secret is the client secret of the app. An older and weaker signature, of workflows and CRM cards: use hubspot where you can.',
}
