/** An independent signer of WebSub, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'
import { hubQuestion } from '../signers/websub.fixture.ts'

export const signers: readonly Signer[] = (['sha1', 'sha256', 'sha384', 'sha512'] as const).map(
  (hash) =>
    mac({
      source: 'websub',
      ...(hash === 'sha256' ? {} : { variant: `of ${hash}` }),
      header: 'X-Hub-Signature',
      digest: [hash, 'hex'],
      show: (s) => `${hash}=${s}`,
      contentType: 'application/atom+xml',
      body: '<feed/>',
      ...(hash === 'sha256' ? { handshakes: [hubQuestion()] } : {}),
    }),
)
