/** The preset of Trello. */
import type { Preset } from '../preset.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'trello',
  name: 'Trello',
  description: 'Board/card actions signed over the body followed by the callback URL',
  mode: 'provider_specific',
  docs: 'https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/',
  configKeys: [
    { ...SECRET, meaning: 'The application’s (OAuth) secret; not its API key, nor a token.' },
    WEBHOOK_URL,
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha1',
    encoding: 'base64',
    signature: { at: { header: 'X-Trello-Webhook' } },
    signed: '{body}{url}',
  },
  handshakes: [{ when: { method: 'HEAD' }, answer: { status: 200 } }],
  eventType: ['$.action.type'],
  deliveryId: ['$.action.id'],
  accepted: { status: 200 },
  notes: 'The URL is signed exactly as it was given when the webhook was made.',
}
