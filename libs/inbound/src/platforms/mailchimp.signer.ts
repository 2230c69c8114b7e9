/** An independent signer of Mailchimp, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'mailchimp',
    body: 'type=subscribe&fired_at=2023-11-14+22%3A13%3A20&data%5Bid%5D=8a25ff1d98',
    type: 'subscribe',
    handshakes: [
      { of: 'the URL', request: { method: 'GET', headers: {}, body: '' }, answer: { status: 200 } },
    ],
  }),
]
