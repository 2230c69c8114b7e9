/** An independent signer of Brevo, written from its documents. */
import { namedHeader, type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'brevo',
    header: 'Authorization',
    scheme: 'Bearer ',
    body: {
      event: 'delivered',
      email: 'a@example.com',
      id: 26224,
      'message-id': '<201798300811.5787683@relay.domain.com>',
      ts_event: 1604933654,
    },
    type: 'delivered',
    id: '<201798300811.5787683@relay.domain.com>:delivered:1604933654',
  }),
  namedHeader({
    source: 'brevo',
    variant: 'by header',
    body: { event: 'delivered', id: 26224, 'message-id': '<2017@relay>', ts_event: 1604933654 },
    type: 'delivered',
    id: '<2017@relay>:delivered:1604933654',
  }),
]
