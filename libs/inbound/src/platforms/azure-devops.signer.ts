/** An independent signer of Azure DevOps, written from its documents. */
import { basic, namedHeader, type Signer } from '../signers/signer.fixture.ts'

const devOps = {
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  notificationId: 3,
  id: '27646e0e-b520-4d2b-9411-bba7524947cd',
  eventType: 'git.push',
  publisherId: 'tfs',
  resource: { commits: [] },
}

export const signers: readonly Signer[] = [
  basic({ source: 'azure-devops', body: devOps, type: 'git.push', id: devOps.id }),
  namedHeader({
    source: 'azure-devops',
    variant: 'by header',
    body: devOps,
    type: 'git.push',
    id: devOps.id,
  }),
]
