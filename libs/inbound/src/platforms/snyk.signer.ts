/** An independent signer of Snyk, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'snyk',
    header: 'X-Hub-Signature',
    show: (s) => `sha256=${s}`,
    headers: {
      'X-Snyk-Event': 'project_snapshot/v0',
      'X-Snyk-Transport-ID': '998fe884',
      'X-Snyk-Timestamp': '2023-11-14T22:13:20Z',
    },
    body: { project: {}, org: {} },
    type: 'project_snapshot/v0',
    id: '998fe884',
  }),
]
