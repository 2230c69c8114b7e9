/** An independent signer of Crisp, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'crisp',
    header: 'X-Crisp-Signature',
    signed: (body, t) => `[${t};${body}]`,
    time: { unit: 'ms', header: 'X-Crisp-Request-Timestamp', tolerance: 300 },
    body: {
      website_id: 'w',
      event: 'message:send',
      data: { fingerprint: 163408807661741, content: 'hi' },
      timestamp: 1700000000000,
    },
    type: 'message:send',
    id: '1700000000000:163408807661741',
  }),
]
