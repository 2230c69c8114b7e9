/** The preset of LiveKit. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'livekit',
  name: 'LiveKit',
  description: 'LiveKit room, participant, track, egress and ingress webhooks.',
  mode: 'jwt',
  docs: 'https://docs.livekit.io/home/server/webhooks/',
  configKeys: [
    {
      name: 'api_key',
      secret: false,
      required: true,
      meaning: 'The API key of the project: who must have signed.',
    },
    { name: 'api_secret', secret: true, required: true, meaning: 'Its secret.' },
  ],
  verify: {
    kind: 'jwt',
    at: { header: 'Authorization' },
    scheme: 'Bearer ',
    optionalScheme: true,
    algorithms: ['HS256'],
    key: { config: 'api_secret', as: 'utf8' },
    issuer: { config: 'api_key' },
    claims: [
      { claim: 'sha256', is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'base64' } },
    ],
  },
  eventType: ['$.event'],
  deliveryId: ['$.id'],
}
