/** An independent signer of Okta, written from its documents. */
import { namedHeader, type Signer, token } from '../signers/signer.fixture.ts'

const okta = {
  eventType: 'com.okta.event_hook',
  eventId: 'b5a188b9',
  data: { events: [{ uuid: 'd7e6', eventType: 'user.lifecycle.create' }] },
}

export const signers: readonly Signer[] = [
  namedHeader({
    source: 'okta',
    body: okta,
    type: 'user.lifecycle.create',
    id: 'b5a188b9',
    handshakes: [
      {
        of: 'the hook',
        request: {
          method: 'GET',
          headers: { 'x-okta-verification-challenge': 'my-challenge' },
          body: '',
        },
        answer: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: '{"verification":"my-challenge"}',
        },
      },
    ],
  }),
  token({
    source: 'okta',
    variant: 'by authorization',
    header: 'Authorization',
    body: okta,
    type: 'user.lifecycle.create',
    id: 'b5a188b9',
  }),
]
