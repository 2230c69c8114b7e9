/** An independent signer of Mollie (next-gen webhooks), written from its documents. */
import { OTHER_HEX, withSignatureHeader, WHILE_ROTATED } from '../signers/rotation.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

const created = { id: 'event_1', type: 'payment-link.paid' }

export const signers: readonly Signer[] = [
  mac({
    source: 'mollie',
    header: 'X-Mollie-Signature',
    show: (s) => `sha256=${s}`,
    body: {
      resource: 'event',
      id: 'event_GvJ8WHrp5isUdRub9CJyH',
      type: 'payment-link.paid',
      entityId: 'pl_q',
      createdAt: '2023-11-14T22:13:20+00:00',
    },
    type: 'payment-link.paid',
    id: 'event_GvJ8WHrp5isUdRub9CJyH',
  }),
  ...['sent twice', 'joined on the way'].map((how) => {
    const show = (s: string) => `sha256=${s}`
    const base = mac({
      source: 'mollie',
      header: 'X-Mollie-Signature',
      show,
      body: created,
      type: created.type,
      id: created.id,
    })
    const both = (own: string) => [`sha256=${OTHER_HEX}`, own]
    const text = how === 'sent twice' ? both : (own: string) => both(own).join(', ')
    return {
      ...withSignatureHeader(base, 'X-Mollie-Signature', text),
      variant: `${WHILE_ROTATED}, ${how}`,
    }
  }),
]
