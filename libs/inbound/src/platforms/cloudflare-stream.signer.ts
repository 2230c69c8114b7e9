/** An independent signer of Cloudflare Stream, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'cloudflare-stream',
    header: 'Webhook-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `time=${t},sig1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: {
      uid: '6b9e68b07dfee8cc2d116e4c51d6a957',
      readyToStream: true,
      status: { state: 'ready' },
    },
    type: 'ready',
    id: '6b9e68b07dfee8cc2d116e4c51d6a957:ready',
  }),
]
