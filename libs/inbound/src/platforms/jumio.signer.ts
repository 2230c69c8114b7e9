/** An independent signer of Jumio, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'jumio',
    body: {
      callbackSentAt: '2023-11-14T22:13:20Z',
      workflowExecution: { id: '4a8b', href: 'https://x', definitionKey: '2', status: 'PROCESSED' },
      account: { id: '9' },
    },
    type: 'PROCESSED',
    id: '4a8b:PROCESSED',
  }),
]
