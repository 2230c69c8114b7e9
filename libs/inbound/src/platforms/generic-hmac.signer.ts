/** An independent signer of Generic HMAC, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'generic-hmac',
    header: 'X-Signature',
    config: { header_name: 'X-Signature' },
    body: { any: 'thing' },
  }),
  mac({
    source: 'generic-hmac',
    variant: 'after a prefix',
    header: 'X-Sig',
    show: (s) => `sha256=${s}`,
    config: { header_name: 'X-Sig', prefix: 'sha256=' },
    body: { any: 'thing' },
  }),
  mac({
    source: 'generic-hmac',
    variant: 'of SHA-512 in base64',
    header: 'X-Sig',
    digest: ['sha512', 'base64'],
    config: { header_name: 'X-Sig', algorithm: 'sha512', encoding: 'base64' },
    body: { any: 'thing' },
  }),
  mac({
    source: 'generic-hmac',
    variant: 'of SHA-1',
    header: 'X-Sig',
    digest: ['sha1', 'hex'],
    config: { header_name: 'X-Sig', algorithm: 'sha1', encoding: 'hex' },
    body: { any: 'thing' },
  }),
]
