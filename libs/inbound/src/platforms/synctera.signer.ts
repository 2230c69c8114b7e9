/** An independent signer of Synctera, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'synctera',
    header: 'Synctera-Signature',
    signed: (body, t) => `${t}.${body}`,
    time: { unit: 's', header: 'Request-Timestamp', tolerance: 300 },
    body: { id: '8d7b', type: 'ACCOUNT.CREATED', event_time: '2023-11-14T22:13:20Z' },
    type: 'ACCOUNT.CREATED',
    id: '8d7b',
  }),
  mac({
    source: 'synctera',
    variant: 'while it rolls',
    header: 'Synctera-Signature',
    show: (sig) => `00ff.${sig}`,
    signed: (body, t) => `${t}.${body}`,
    time: { unit: 's', header: 'Request-Timestamp', tolerance: 300 },
    body: { id: '8d7b', type: 'ACCOUNT.CREATED' },
    type: 'ACCOUNT.CREATED',
    id: '8d7b',
  }),
]
