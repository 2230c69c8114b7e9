/** An independent signer of Paddle Billing, written from its documents. */
import { OTHER_HEX, WHILE_ROTATED } from '../signers/rotation.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'paddle',
    header: 'Paddle-Signature',
    signed: (body, t) => `${t}:${body}`,
    show: (s, t) => `ts=${t};h1=${s}`,
    time: { unit: 's', tolerance: 5 },
    body: {
      event_id: 'evt_01hv8wptq8987qeep44cyrewp9',
      event_type: 'transaction.paid',
      notification_id: 'ntf_01',
      data: {},
    },
    type: 'transaction.paid',
    id: 'evt_01hv8wptq8987qeep44cyrewp9',
  }),
  mac({
    source: 'paddle',
    variant: WHILE_ROTATED,
    header: 'Paddle-Signature',
    signed: (body, t) => `${t}:${body}`,
    show: (s, t) => `ts=${t};h1=${OTHER_HEX};h1=${s}`,
    time: { unit: 's', tolerance: 5 },
    body: { event_id: 'evt_1', event_type: 'transaction.paid' },
    type: 'transaction.paid',
    id: 'evt_1',
  }),
]
