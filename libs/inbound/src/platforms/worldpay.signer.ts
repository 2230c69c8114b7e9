/** An independent signer of Access Worldpay, written from its documents. */
import { OTHER_HEX, WHILE_ROTATED } from '../signers/rotation.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'worldpay',
    header: 'Event-Signature',
    config: { key_id: '1' },
    show: (s) => `1/SHA256/${s}`,
    body: {
      eventId: '5eb9',
      eventTimestamp: '2023-11-14T22:13:20.000Z',
      eventDetails: { type: 'authorized' },
    },
    type: 'authorized',
    id: '5eb9',
  }),
  mac({
    source: 'worldpay',
    variant: WHILE_ROTATED,
    header: 'Event-Signature',
    config: { key_id: '1' },
    show: (s) => `2/SHA256/${OTHER_HEX},1/SHA256/${s}`,
    body: { eventId: '5eb9', eventDetails: { type: 'authorized' } },
    type: 'authorized',
    id: '5eb9',
  }),
]
