/** An independent signer of Phabricator / Phorge, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'phabricator',
    header: 'X-Phabricator-Webhook-Signature',
    body: {
      object: { type: 'TASK', phid: 'PHID-TASK-1' },
      triggers: [],
      action: { test: false },
      transactions: [{ phid: 'PHID-XACT-TASK-1' }],
    },
    type: 'TASK',
    id: 'PHID-XACT-TASK-1',
  }),
]
