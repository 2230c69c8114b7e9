/** The preset of Slack. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'slack',
  name: 'Slack',
  description:
    'Events API, slash commands and interactivity requests signed with the app signing secret',
  mode: 'hmac_timestamped',
  docs: 'https://docs.slack.dev/authentication/verifying-requests-from-slack/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'X-Slack-Signature' }, format: { kind: 'bare', prefix: 'v0=' } },
    signed: 'v0:{t}:{body}',
    timestamp: {
      at: { header: 'X-Slack-Request-Timestamp' },
      unit: 'seconds',
      toleranceSeconds: 300,
    },
  },
  handshakes: [
    // Slack checks now and then whether the certificate is valid.
    { when: { method: 'GET', has: [{ query: 'ssl_check' }] }, answer: { status: 200 } },
    {
      when: { method: 'POST', equals: [{ at: { form: 'ssl_check' }, text: '1' }] },
      answer: { status: 200 },
    },
    {
      signed: true,
      when: { method: 'POST', equals: [{ at: { json: '$.type' }, text: 'url_verification' }] },
      echo: { json: '$.challenge' },
      as: { text: true },
    },
  ],
  eventType: ['$.event.type', '$.type', '$.command'],
  deliveryId: ['$.event_id'],
  // A body would be shown to the user of a slash command.
  accepted: { status: 200, body: '' },
  notes: 'A slash command gets an empty answer: reply by its response_url.',
}
