/** An independent signer of Doppler, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'doppler',
    header: 'X-Doppler-Signature',
    show: (s) => `sha256=${s}`,
    body: { type: 'config.secrets.update', config: { name: 'prd' }, project: { id: 'p' } },
    type: 'config.secrets.update',
  }),
]
