/** An independent signer of Agora, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const agora = {
  noticeId: '2000001428:4330:107',
  productId: 1,
  eventType: 101,
  payload: { channelName: 'test', ts: 1560396834, uid: 12121212 },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'agora',
    header: 'Agora-Signature-V2',
    body: agora,
    type: '101',
    id: agora.noticeId,
  }),
  mac({
    source: 'agora',
    variant: 'of SHA-1',
    header: 'Agora-Signature',
    digest: ['sha1', 'hex'],
    body: agora,
    type: '101',
    id: agora.noticeId,
  }),
]
