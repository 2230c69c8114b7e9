/** An independent signer of Cloudinary, written from its documents. */
import { digest, hashed } from '../signers/hashed.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

const upload = {
  notification_type: 'upload',
  timestamp: '2023-11-14T22:13:20+00:00',
  request_id: 'cfbf3f35ebaf0a2a6b6bb2f1c4ec2f8c',
  public_id: 'sample',
}

export const signers: readonly Signer[] = ['sha1', 'sha256'].map((algorithm) =>
  hashed({
    source: 'cloudinary',
    ...(algorithm === 'sha1' ? {} : { variant: 'of SHA-256', config: { algorithm } }),
    header: 'X-Cld-Signature',
    hash: digest(algorithm),
    text: (body, secret, t) => `${body}${t}${secret}`,
    time: { unit: 's', header: 'X-Cld-Timestamp', tolerance: 7200 },
    body: upload,
    type: 'upload',
    id: upload.request_id,
  }),
)
