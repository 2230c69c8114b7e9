/** An independent signer of EasyPost, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'easypost',
    header: 'X-Hmac-Signature',
    secrets: ['s\u00e9cret-one', 's\u00e9cret-two'],
    show: (s) => `hmac-sha256-hex=${s}`,
    body: {
      description: 'tracker.updated',
      mode: 'production',
      id: 'evt_1',
      object: 'Event',
      result: { id: 'trk_1' },
    },
    type: 'tracker.updated',
    id: 'evt_1',
    key: 'nfkd',
  }),
]
