/** An independent signer of Sumsub, written from its documents. */
import { createHash } from 'node:crypto'
import { mac, type Signer } from '../signers/signer.fixture.ts'

const sumsub = {
  applicantId: '5cb5',
  inspectionId: 'i',
  correlationId: 'req-1',
  type: 'applicantReviewed',
  createdAtMs: '2023-11-14 22:13:20.000',
}

/** The hash of `<applicantId>:<type>:<createdAtMs>`, which has a space in it. */
const SUMSUB = createHash('sha256')
  .update('5cb5:applicantReviewed:2023-11-14 22:13:20.000')
  .digest('hex')

export const signers: readonly Signer[] = [
  mac({
    source: 'sumsub',
    header: 'X-Payload-Digest',
    headers: { 'X-Payload-Digest-Alg': 'HMAC_SHA256_HEX' },
    body: sumsub,
    type: 'applicantReviewed',
    id: SUMSUB,
  }),
  mac({
    source: 'sumsub',
    variant: 'of SHA-512',
    header: 'X-Payload-Digest',
    digest: ['sha512', 'hex'],
    config: { algorithm: 'sha512' },
    headers: { 'X-Payload-Digest-Alg': 'HMAC_SHA512_HEX' },
    body: sumsub,
    type: 'applicantReviewed',
    id: SUMSUB,
  }),
]
