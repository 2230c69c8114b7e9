/** An independent signer of Gogs, written from its documents. */
import { PUSH } from '../signers/git-hosts.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'gogs',
    header: 'X-Gogs-Signature',
    headers: { 'X-Gogs-Event': 'push', 'X-Gogs-Delivery': 'f6266f16' },
    body: PUSH,
    type: 'push',
    id: 'f6266f16',
  }),
]
