/** Google’s push channels, which are alike for all that can be watched. */
import type { Preset } from '../preset.ts'

export const WATCH_CHANNEL = {
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: true,
      meaning: 'The token that was given when the channel was made.',
    },
    {
      name: 'channel_id',
      secret: false,
      required: false,
      meaning: 'The id of the channel, when no other may send here.',
    },
  ],
  verify: {
    kind: 'all',
    of: [
      { kind: 'token', at: { header: 'X-Goog-Channel-Token' }, config: 'secret' },
      {
        kind: 'token',
        at: { header: 'X-Goog-Channel-ID' },
        config: 'channel_id',
        needs: ['channel_id'],
      },
    ],
  },
  eventType: ['$.headers.X-Goog-Resource-State'],
  deliveryId: ['{$.headers.X-Goog-Channel-ID}:{$.headers.X-Goog-Message-Number}'],
} satisfies Partial<Preset>
