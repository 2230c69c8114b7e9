/** An independent signer of Greenhouse, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'greenhouse',
    header: 'Signature',
    show: (s) => `sha256 ${s}`,
    headers: { 'Greenhouse-Event-ID': '12345678' },
    body: { action: 'new_candidate_application', payload: { application: { id: 1 } } },
    type: 'new_candidate_application',
    id: '12345678',
  }),
]
