/** An independent signer of RingCentral, written from its documents. */
import { type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'ringcentral',
    header: 'Verification-Token',
    secretIn: 'token',
    body: {
      uuid: '1234567891234567890',
      event: '/restapi/v1.0/account/1/extension/2/presence',
      timestamp: '2023-11-14T22:13:20Z',
      body: {},
    },
    type: '/restapi/v1.0/account/1/extension/2/presence',
    id: '1234567891234567890',
    handshakes: [
      {
        of: 'the subscription',
        request: { headers: { 'Validation-Token': 'v-1' }, body: '' },
        answer: { status: 200, headers: { 'Validation-Token': 'v-1' } },
      },
    ],
  }),
  token({
    source: 'ringcentral',
    variant: 'by the other header',
    header: 'Validation-Token',
    secretIn: 'token',
    body: { uuid: '1', event: '/x', body: {} },
    type: '/x',
    id: '1',
  }),
]
