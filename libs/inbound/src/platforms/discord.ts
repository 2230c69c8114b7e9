/** The preset of Discord. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'discord',
  name: 'Discord',
  description: 'Discord interactions and application webhook events.',
  mode: 'asymmetric',
  docs: 'https://docs.discord.com/developers/interactions/overview',
  configKeys: [
    {
      name: 'public_key',
      secret: false,
      required: true,
      meaning: 'The public key of the application, as Discord’s developer portal shows it.',
    },
  ],
  verify: {
    kind: 'asymmetric',
    algorithm: 'ed25519',
    encoding: 'hex',
    signature: { at: { header: 'X-Signature-Ed25519' } },
    signed: '{t}{body}',
    key: { config: 'public_key' },
    timestamp: {
      at: { header: 'X-Signature-Timestamp' },
      unit: 'seconds',
      toleranceSeconds: null,
    },
  },
  handshakes: [
    {
      when: {
        method: 'POST',
        equals: [{ at: { json: '$.type' }, text: '1' }],
        hasNot: [{ json: '$.event.type' }],
      },
      signed: true,
      answer: { status: 200, body: '{"type":1}', type: 'application/json' },
    },
    {
      when: { method: 'POST', equals: [{ at: { json: '$.type' }, text: '0' }] },
      signed: true,
      answer: { status: 204 },
    },
  ],
  eventType: ['$.event.type', '$.type'],
  deliveryId: ['$.id'],
  notes:
    'Made for webhook events. Interactions are verified too, but they want an answer of their own within three seconds, which an inbound endpoint does not give.',
}
