/** The preset of Twitch. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'twitch',
  name: 'Twitch',
  description: 'Twitch EventSub webhook notifications.',
  mode: 'hmac_timestamped',
  docs: 'https://dev.twitch.tv/docs/eventsub/handling-webhook-events/',
  configKeys: [
    {
      ...SECRET,
      meaning: 'The secret that you gave the subscription: 10 to 100 ASCII characters.',
    },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: {
      at: { header: 'Twitch-Eventsub-Message-Signature' },
      format: { kind: 'bare', prefix: 'sha256=' },
    },
    signed: '{header:Twitch-Eventsub-Message-Id}{t}{body}',
    timestamp: {
      at: { header: 'Twitch-Eventsub-Message-Timestamp' },
      unit: 'iso8601',
      toleranceSeconds: 600,
    },
  },
  handshakes: [
    {
      signed: true,
      when: {
        method: 'POST',
        equals: [
          {
            at: { header: 'Twitch-Eventsub-Message-Type' },
            text: 'webhook_callback_verification',
          },
        ],
      },
      echo: { json: '$.challenge' },
      as: { text: true },
    },
  ],
  eventType: ['$.subscription.type', '$.headers.Twitch-Eventsub-Subscription-Type'],
  deliveryId: ['$.headers.Twitch-Eventsub-Message-Id'],
  notes:
    'A revoked subscription is an event too, of the same type, with the reason in $.subscription.status.',
}
