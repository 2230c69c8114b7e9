/** An independent signer of Formstack, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'formstack',
    header: 'X-FS-Signature',
    show: (s) => `sha256=${s}`,
    body: 'FormID=6606394&UniqueID=1500878955&HandshakeKey=test',
    id: '1500878955',
  }),
  mac({
    source: 'formstack',
    variant: 'by another header',
    header: 'X-Ours',
    config: { header_name: 'X-Ours' },
    show: (s) => `sha256=${s}`,
    body: { FormID: '6606394', UniqueID: '1500878955' },
    id: '1500878955',
  }),
]
