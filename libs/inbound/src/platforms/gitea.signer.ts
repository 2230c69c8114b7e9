/** An independent signer of Gitea, written from its documents. */
import { PUSH } from '../signers/git-hosts.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

const gitea = {
  'X-Gitea-Event': 'push',
  'X-GitHub-Event': 'push',
  'X-Gitea-Delivery': 'f6266f16-1bf3-46a5-9ea4-602e06ead473',
}

export const signers: readonly Signer[] = [
  mac({
    source: 'gitea',
    header: 'X-Gitea-Signature',
    headers: gitea,
    body: PUSH,
    type: 'push',
    id: gitea['X-Gitea-Delivery'],
  }),
  mac({
    source: 'gitea',
    variant: 'of GitHub',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: gitea,
    body: PUSH,
    type: 'push',
    id: gitea['X-Gitea-Delivery'],
  }),
]
