/** An independent signer of GitHub Marketplace, written from its documents. */
import { github } from '../signers/git-hosts.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

const marketplace = { ...github, 'X-GitHub-Event': 'marketplace_purchase' }

export const signers: readonly Signer[] = [
  mac({
    source: 'github-marketplace',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    headers: marketplace,
    body: { action: 'purchased', marketplace_purchase: {} },
    type: 'marketplace_purchase',
    id: github['X-GitHub-Delivery'],
  }),
]
