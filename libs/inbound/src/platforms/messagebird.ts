/** The preset of MessageBird (Bird). */
import type { Preset } from '../preset.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'messagebird',
  name: 'MessageBird (Bird)',
  description: 'MessageBird / Bird callbacks signed with MessageBird-Signature-JWT.',
  mode: 'jwt',
  docs: 'https://developers.messagebird.com/api/#verifying-http-requests',
  configKeys: [{ ...SECRET, meaning: 'The signing key in MessageBird’s dashboard.' }, WEBHOOK_URL],
  verify: {
    kind: 'jwt',
    at: { header: 'MessageBird-Signature-JWT' },
    algorithms: ['HS256', 'HS384', 'HS512'],
    key: { config: 'secret', as: 'utf8' },
    issuer: 'MessageBird',
    claims: [
      { claim: 'url_hash', is: { hashOf: '{url}', algorithm: 'sha256', encoding: 'hex' } },
      {
        claim: 'payload_hash',
        is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'hex' },
        absentWhenEmpty: true,
      },
    ],
  },
  eventType: ['$.type', '$.event', '$.status'],
  deliveryId: [],
  notes:
    'Webhook subscriptions of the new Bird platform are signed in another way and are refused.',
}
