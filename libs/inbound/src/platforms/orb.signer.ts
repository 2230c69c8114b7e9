/** An independent signer of Orb, written from its documents. */
import { CONTACT_CREATED, OTHER_HEX, withSignatureHeader } from '../signers/rotation.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'orb',
    header: 'X-Orb-Signature',
    signed: (body, t) => `v1:${t}:${body}`,
    show: (s) => `v1=${s}`,
    time: { unit: 'naive', header: 'X-Orb-Timestamp', tolerance: 300 },
    body: {
      id: 'o4mmewpfNNTnjfZc',
      created_at: '2023-11-14T22:13:20+00:00',
      type: 'customer.created',
      properties: {},
    },
    type: 'customer.created',
    id: 'o4mmewpfNNTnjfZc',
  }),
  withSignatureHeader(
    mac({
      source: 'orb',
      header: 'X-Orb-Signature',
      signed: (body, t) => `v1:${t}:${body}`,
      show: (s) => `v1=${s}`,
      time: { unit: 'naive', header: 'X-Orb-Timestamp', tolerance: 300 },
      body: CONTACT_CREATED,
      type: CONTACT_CREATED.type,
    }),
    'X-Orb-Signature',
    (own) => `v1=${OTHER_HEX} ${own}`,
  ),
]
