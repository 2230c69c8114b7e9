/** The preset of Microsoft Graph change notifications. */
import type { Preset } from '../preset.ts'
import { SHARED_SECRET } from '../schemes/config-keys.ts'
import { verifyMicrosoftGraph } from './microsoft-graph.verifier.ts'

export const preset: Preset = {
  source: 'microsoft-graph',
  name: 'Microsoft Graph change notifications',
  description:
    'Change notifications that repeat your clientState; rich notifications add signed JWTs',
  mode: 'token',
  docs: 'https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks',
  configKeys: [
    {
      ...SHARED_SECRET,
      meaning: 'The clientState that you gave the subscription, at most 128 characters.',
    },
    {
      name: 'client_id',
      secret: false,
      required: false,
      meaning: 'The app’s id: with it the tokens of rich notifications are checked.',
    },
    {
      name: 'tenant_id',
      secret: false,
      required: false,
      meaning: 'The tenant that those tokens must be of.',
    },
  ],
  verify: { kind: 'custom', verify: verifyMicrosoftGraph, usesJsonBody: true },
  handshakes: [
    {
      when: { method: 'POST', has: [{ query: 'validationToken' }], emptyBody: true },
      echo: { query: 'validationToken' },
      as: { text: true },
    },
  ],
  eventType: ['$.value[*].changeType', '$.value[*].lifecycleEvent'],
  deliveryId: [],
  notes:
    'Basic notifications are not signed. What a rich notification has encrypted goes on as it came; decrypt it at your side.',
}
