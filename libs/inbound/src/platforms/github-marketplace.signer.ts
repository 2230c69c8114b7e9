/** An independent signer of GitHub Marketplace, written from its documents. */
import { GITHUB_HEADERS } from '../signers/git-hosts.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

const marketplace = { ...GITHUB_HEADERS, 'X-GitHub-Event': 'marketplace_purchase' }

export const signers: readonly Signer[] = [
  mac({
    source: 'github-marketplace',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: marketplace,
    body: { action: 'purchased', marketplace_purchase: {} },
    type: 'marketplace_purchase',
    id: GITHUB_HEADERS['X-GitHub-Delivery'],
  }),
]
