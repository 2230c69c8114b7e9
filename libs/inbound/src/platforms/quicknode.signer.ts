/** An independent signer of QuickNode, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'quicknode',
    handshakes: [
      {
        of: 'a ping',
        request: { headers: {}, body: '{"message":"PING"}' },
        answer: { status: 200 },
      },
    ],
    header: 'x-qn-signature',
    headers: { 'x-qn-nonce': 'bf96c5ad' },
    signed: (body, t) => `bf96c5ad${t}${body}`,
    time: { unit: 's', header: 'x-qn-timestamp', tolerance: 300 },
    body: { data: [{ number: '0x1' }] },
  }),
]
