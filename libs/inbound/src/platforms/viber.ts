/** The preset of Viber. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'viber',
  name: 'Viber',
  description: 'Viber bot callbacks.',
  mode: 'hmac',
  docs: 'https://developers.viber.com/docs/api/rest-bot-api/#callbacks',
  configKeys: [{ ...SECRET, meaning: 'The bot’s auth token.' }],
  verify: bodyHmac('X-Viber-Content-Signature'),
  handshakes: [
    {
      signed: true,
      when: { method: 'POST', equals: [{ at: { json: '$.event' }, text: 'webhook' }] },
      answer: { status: 200 },
    },
  ],
  eventType: ['$.event'],
  // The events delivered and seen have the number of the message that they are about.
  deliveryId: ['{$.event}:{$.message_token}:{$.timestamp}'],
  accepted: { status: 200 },
}
