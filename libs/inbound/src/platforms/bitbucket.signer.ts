/** An independent signer of Bitbucket, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'bitbucket',
    header: 'X-Hub-Signature',
    show: (s) => `sha256=${s}`,
    headers: {
      'X-Event-Key': 'repo:push',
      'X-Hook-UUID': '2b1c',
      'X-Request-UUID': '5bd2dc2c-4bde-4d24-a4f8-b0d3d4e5f6a7',
      'X-Attempt-Number': '1',
    },
    body: { push: { changes: [] }, repository: { full_name: 'team/repo' } },
    type: 'repo:push',
    id: '5bd2dc2c-4bde-4d24-a4f8-b0d3d4e5f6a7',
  }),
]
