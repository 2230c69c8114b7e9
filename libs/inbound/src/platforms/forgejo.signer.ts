/** An independent signer of Forgejo, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const push = { ref: 'refs/heads/main', repository: { full_name: 'a/b' }, commits: [] }

const forgejo = {
  'X-Forgejo-Event': 'push',
  'X-Gitea-Event': 'push',
  'X-GitHub-Event': 'push',
  'X-Forgejo-Delivery': 'f6266f16-1bf3-46a5-9ea4-602e06ead473',
}

export const signers: readonly Signer[] = [
  mac({
    source: 'forgejo',
    header: 'X-Forgejo-Signature',
    headers: forgejo,
    body: push,
    type: 'push',
    id: forgejo['X-Forgejo-Delivery'],
  }),
  mac({
    source: 'forgejo',
    variant: 'of Gitea',
    header: 'X-Gitea-Signature',
    headers: forgejo,
    body: push,
    type: 'push',
    id: forgejo['X-Forgejo-Delivery'],
  }),
  mac({
    source: 'forgejo',
    variant: 'of GitHub',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: forgejo,
    body: push,
    type: 'push',
    id: forgejo['X-Forgejo-Delivery'],
  }),
]
