/** An independent signer of TikTok, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'tiktok',
    header: 'TikTok-Signature',
    signed: (body, at) => `${at}.${body}`,
    show: (sig, at) => `t=${at},s=${sig}`,
    time: { unit: 's', tolerance: 300 },
    body: {
      client_key: 'bwo2m45353a6k85',
      event: 'video.publish.completed',
      create_time: 1700000000,
      user_openid: 'act.1',
      content: '{}',
    },
    type: 'video.publish.completed',
  }),
]
