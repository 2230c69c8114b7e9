/** An independent signer of Salesforce Marketing Cloud (ENS), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const sfmc = [
  {
    eventCategoryType: 'TransactionalSendEvents.EmailSent',
    timestampUTC: 1700000000000,
    compositeId: 'c1.a',
    info: {},
  },
]

export const signers: readonly Signer[] = [
  mac({
    source: 'salesforce-marketing-cloud',
    header: 'x-sfmc-ens-signature',
    digest: ['sha256', 'base64'],
    body: sfmc,
    type: 'TransactionalSendEvents.EmailSent',
    handshakes: [
      {
        of: 'the callback',
        request: { headers: {}, body: '{"callbackId":"6e27","verificationKey":"a7b9"}' },
        config: {},
        answer: { status: 200 },
      },
    ],
  }),
]
