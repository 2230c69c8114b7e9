/** An independent signer of Aircall, written from its documents. */
import { bodyToken, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  bodyToken({
    source: 'aircall',
    at: ['token'],
    secretIn: 'token',
    body: {
      resource: 'call',
      event: 'call.created',
      timestamp: 1700000000,
      token: '',
      data: { id: 812, direction: 'inbound' },
    },
    type: 'call.created',
    id: '812:call.created:1700000000',
  }),
]
