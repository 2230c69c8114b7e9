/** An independent signer of PayU, written from its documents. */
import { digest, hashed } from '../signers/hashed.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

const order = {
  order: { orderId: 'LDLW5N7MF4140324GUEST000P01', status: 'COMPLETED' },
  properties: [],
}

export const signers: readonly Signer[] = ['md5', 'sha256'].map((algorithm) =>
  hashed({
    source: 'payu',
    ...(algorithm === 'md5' ? {} : { variant: 'of SHA-256' }),
    header: 'OpenPayu-Signature',
    hash: digest(algorithm),
    show: (s) =>
      `sender=checkout;signature=${s};algorithm=${algorithm === 'md5' ? 'MD5' : 'SHA-256'};content=DOCUMENT`,
    text: (body, secret) => `${body}${secret}`,
    body: order,
    type: 'COMPLETED',
    id: 'LDLW5N7MF4140324GUEST000P01:COMPLETED',
  }),
)
