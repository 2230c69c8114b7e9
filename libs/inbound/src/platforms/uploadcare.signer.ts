/** An independent signer of Uploadcare, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'uploadcare',
    header: 'X-Uc-Signature',
    show: (s) => `v1=${s}`,
    body: { initiator: {}, hook: { id: 1, event: 'file.uploaded' }, data: { uuid: 'a5e0' } },
    type: 'file.uploaded',
    id: 'file.uploaded:a5e0',
  }),
]
