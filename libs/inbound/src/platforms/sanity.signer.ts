/** An independent signer of Sanity, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'sanity',
    header: 'sanity-webhook-signature',
    headers: { 'sanity-operation': 'update', 'idempotency-key': 'k-1' },
    digest: ['sha256', 'base64url'],
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${s}`,
    time: { unit: 'ms', tolerance: null },
    body: { _id: 'resume' },
    type: 'update',
    id: 'k-1',
  }),
]
