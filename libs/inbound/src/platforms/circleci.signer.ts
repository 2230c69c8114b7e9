/** An independent signer of CircleCI, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'circleci',
    header: 'circleci-signature',
    show: (s) => `v1=${s},v2=00ff`,
    headers: { 'circleci-event-type': 'workflow-completed' },
    body: {
      id: '3888f21b-eaa7-38e3-8f3d-75a63bba8895',
      type: 'workflow-completed',
      happened_at: '2023-11-14T22:13:20.000Z',
      workflow: { status: 'success' },
    },
    type: 'workflow-completed',
    id: '3888f21b-eaa7-38e3-8f3d-75a63bba8895',
  }),
]
