/** An independent signer of Rootly, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'rootly',
    header: 'X-Rootly-Signature',
    signed: (body, t) => `${t}${body}`,
    show: (s, t) => `t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: {
      event: { id: 'd1f1', type: 'incident.created', issued_at: '2023-11-14T22:13:20Z' },
      data: {},
    },
    type: 'incident.created',
    id: 'd1f1',
  }),
]
