/** An independent signer of Authorize.Net, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'authorize-net',
    header: 'X-ANET-Signature',
    digest: ['sha512', 'hex'],
    secrets: ['2679A5D5785C9B26CF921E1754765CDD', 'B265C9C88400786923E5343B315954FA'],
    show: (s) => `sha512=${s.toUpperCase()}`,
    body: {
      notificationId: 'f813b98f-3552-4eeb-ba40-acb4704eeba3',
      eventType: 'net.authorize.payment.authcapture.created',
      payload: { id: '6' },
    },
    type: 'net.authorize.payment.authcapture.created',
    id: 'f813b98f-3552-4eeb-ba40-acb4704eeba3',
  }),
]
