/** An independent signer of Affirm, written from its documents. */
import { OTHER_HEX, WHILE_ROTATED } from '../signers/rotation.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'affirm',
    header: 'X-Affirm-Signature',
    digest: ['sha512', 'hex'],
    body: 'event=confirmed&checkout_token=ABC&order_id=7',
    type: 'confirmed',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v0=${s}`,
    time: { unit: 's', tolerance: 300 },
  }),
  mac({
    source: 'affirm',
    variant: WHILE_ROTATED,
    header: 'X-Affirm-Signature',
    digest: ['sha512', 'hex'],
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v0=${OTHER_HEX}${OTHER_HEX},v0=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: 'event=confirmed&checkout_token=ABC',
    type: 'confirmed',
  }),
]
