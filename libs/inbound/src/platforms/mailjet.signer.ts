/** An independent signer of Mailjet, written from its documents. */
import { basic, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  basic({
    source: 'mailjet',
    body: [
      {
        event: 'sent',
        time: 1700000000,
        MessageID: 19421777835146490,
        Message_GUID: '1ab23cd4',
        email: 'a@example.com',
      },
    ],
    type: 'sent',
  }),
]
