/** An independent signer of Bolt, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'bolt',
    header: 'X-Bolt-Hmac-Sha256',
    digest: ['sha256', 'base64'],
    body: {
      object: 'transaction',
      id: 'TAfGCGgvvvgP3',
      type: 'payment',
      data: { reference: 'LBLJ-TWW7-R9VC' },
    },
    type: 'payment',
    id: 'payment:TAfGCGgvvvgP3',
  }),
]
