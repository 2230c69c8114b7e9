/** An independent signer of Tally, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'tally',
    header: 'Tally-Signature',
    digest: ['sha256', 'base64'],
    body: {
      eventId: 'a4cb',
      eventType: 'FORM_RESPONSE',
      createdAt: '2023-11-14T22:13:20.000Z',
      data: {},
    },
    type: 'FORM_RESPONSE',
    id: 'a4cb',
  }),
]
