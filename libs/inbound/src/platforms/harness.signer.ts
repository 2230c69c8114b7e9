/** An independent signer of Harness, written from its documents. */
import { namedHeader, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  namedHeader({
    source: 'harness',
    body: { eventData: { eventType: 'PipelineSuccess', planExecutionId: 'p' } },
    type: 'PipelineSuccess',
  }),
]
