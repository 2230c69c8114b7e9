/** An independent signer of Opsgenie, written from its documents. */
import { namedHeader, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  namedHeader({
    source: 'opsgenie',
    body: { action: 'Create', alert: { alertId: '052652ac' } },
    type: 'Create',
  }),
]
