/** An independent signer of BugSnag, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'bugsnag',
    body: {
      account: { id: '1' },
      project: { id: '2' },
      trigger: { type: 'firstException', message: 'New error' },
      error: { id: '5' },
    },
    type: 'firstException',
  }),
]
