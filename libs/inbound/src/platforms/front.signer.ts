/** An independent signer of Front, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'front',
    header: 'X-Front-Signature',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `${t}:${body}`,
    time: { unit: 'ms', header: 'X-Front-Request-Timestamp', tolerance: 300 },
    body: {
      type: 'inbound_received',
      authorization: { id: 'cmp_1' },
      payload: { id: 'evt_55c8c149', type: 'inbound' },
    },
    type: 'inbound_received',
    id: 'evt_55c8c149',
    handshakes: [
      {
        of: 'the subscription',
        request: { headers: { 'X-Front-Challenge': 'yu5Ha2wTqz' }, body: '{}' },
        answer: { status: 200, body: 'yu5Ha2wTqz' },
      },
    ],
  }),
]
