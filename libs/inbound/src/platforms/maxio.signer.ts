/** An independent signer of Maxio (Chargify), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'maxio',
    header: 'X-Chargify-Webhook-Signature-Hmac-Sha-256',
    headers: { 'X-Chargify-Webhook-Id': '81083' },
    body: 'event=signup_success&id=81083&payload%5Bsubscription%5D%5Bid%5D=1',
    type: 'signup_success',
    id: '81083',
  }),
]
