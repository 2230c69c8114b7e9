/** An independent signer of Figma, written from its documents. */
import { bodyToken, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  bodyToken({
    source: 'figma',
    at: ['passcode'],
    secretIn: 'passcode',
    body: {
      event_type: 'FILE_COMMENT',
      passcode: '',
      timestamp: '2023-11-14T22:13:20Z',
      webhook_id: '22',
      comment_id: '32',
    },
    type: 'FILE_COMMENT',
  }),
]
