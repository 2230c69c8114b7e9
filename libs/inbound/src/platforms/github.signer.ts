/** An independent signer of GitHub, written from its documents. */
import { github, push } from '../signers/git-hosts.fixture.ts'
import { FORM, mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'github',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: github,
    body: push,
    type: 'push',
    id: github['X-GitHub-Delivery'],
  }),
  mac({
    source: 'github',
    variant: 'of a form',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: github,
    contentType: FORM,
    body: `payload=${encodeURIComponent(JSON.stringify(push))}`,
    type: 'push',
    id: github['X-GitHub-Delivery'],
  }),
]
