/** An independent signer of Stripe, written from its documents. */
import { OTHER_HEX, WHILE_ROTATED } from '../signers/rotation.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'stripe',
    header: 'Stripe-Signature',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_RdvaYFYUXuIFuEbvZHwMfYFhUf7aMYjY'],
    signed: (body, t) => `${t}.${body}`,
    show: (sig, t) => `t=${t},v1=${sig},v0=00`,
    time: { unit: 's', tolerance: 300 },
    body: {
      id: 'evt_123',
      object: 'event',
      type: 'customer.created',
      data: { object: { id: 'cus_123' } },
    },
    type: 'customer.created',
    id: 'evt_123',
  }),
  mac({
    source: 'stripe',
    variant: WHILE_ROTATED,
    header: 'Stripe-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `v0=00,v1=${OTHER_HEX},v1=${s},t=${t}`,
    time: { unit: 's', tolerance: 300 },
    body: { id: 'evt_1', type: 'customer.created' },
    type: 'customer.created',
    id: 'evt_1',
  }),
]
