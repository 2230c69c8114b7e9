/** An independent signer of Unit, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'unit',
    header: 'X-Unit-Signature',
    digest: ['sha1', 'base64'],
    body: { data: [{ id: '53', type: 'transaction.created', attributes: {} }] },
    type: 'transaction.created',
    id: '53',
  }),
]
