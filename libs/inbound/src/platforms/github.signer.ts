/** An independent signer of GitHub, written from its documents. */
import { GITHUB_HEADERS, PUSH } from '../signers/git-hosts.fixture.ts'
import { FORM, mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'github',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: GITHUB_HEADERS,
    body: PUSH,
    type: 'push',
    id: GITHUB_HEADERS['X-GitHub-Delivery'],
  }),
  mac({
    source: 'github',
    variant: 'of a form',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: GITHUB_HEADERS,
    contentType: FORM,
    body: `payload=${encodeURIComponent(JSON.stringify(PUSH))}`,
    type: 'push',
    id: GITHUB_HEADERS['X-GitHub-Delivery'],
  }),
]
