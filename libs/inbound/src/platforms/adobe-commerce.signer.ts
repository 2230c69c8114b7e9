/** An independent signer of Adobe Commerce (Magento), written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  asymmetric({
    source: 'adobe-commerce',
    body: { data: { order: { increment_id: '000000001' } } },
    kind: 'rsa',
    hash: 'sha256',
    header: 'x-adobe-commerce-webhook-signature',
    signed: (body) => Buffer.from(body).toString('base64'),
  }),
]
