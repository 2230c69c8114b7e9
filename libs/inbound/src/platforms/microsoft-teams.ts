/** The preset of Microsoft Teams (Outgoing Webhook). */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'microsoft-teams',
  name: 'Microsoft Teams (Outgoing Webhook)',
  description: 'Messages that mention a Teams outgoing webhook, signed with a base64 token',
  mode: 'hmac',
  docs: 'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook',
  configKeys: [
    { ...SECRET, meaning: 'The security token that Teams shows once, when the webhook is made.' },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header: 'Authorization' }, format: { kind: 'bare', prefix: 'HMAC ' } },
    signed: '{body}',
    key: { config: 'secret', as: 'base64' },
  },
  eventType: ['$.type'],
  deliveryId: ['$.id'],
  accepted: {
    status: 200,
    type: 'application/json',
    body: '{"type":"message","text":"Received."}',
  },
  notes: 'Teams waits for a reply and shows it in the channel: it is always the word Received.',
}
