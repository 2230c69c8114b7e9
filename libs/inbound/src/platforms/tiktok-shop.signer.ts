/** An independent signer of TikTok Shop, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'tiktok-shop',
    header: 'Authorization',
    config: { app_key: 'key1' },
    pinned: { app_key: 'key1' },
    signed: (body) => `key1${body}`,
    body: {
      type: 1,
      tts_notification_id: '7327112393057371910',
      shop_id: '7',
      timestamp: 1700000000,
      data: {},
    },
    type: '1',
    id: '7327112393057371910',
  }),
]
