/** An independent signer of Gusto, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'gusto',
    header: 'X-Gusto-Signature',
    body: {
      uuid: '1c1c0b8a',
      event_type: 'company.updated',
      resource_type: 'Company',
      resource_uuid: 'r',
      entity_type: 'Company',
      entity_uuid: 'e',
      timestamp: 1700000000,
    },
    type: 'company.updated',
    id: '1c1c0b8a',
    handshakes: [
      {
        of: 'the token',
        request: {
          headers: {},
          body: '{"verification_token":"a2e0ba18-e1b6-4e6a-9f2c-8f2b3c4d5e6f","webhook_subscription_uuid":"u"}',
        },
        config: {},
        answer: {
          status: 200,
          learned: { verification_token: 'a2e0ba18-e1b6-4e6a-9f2c-8f2b3c4d5e6f' },
        },
      },
    ],
  }),
]
