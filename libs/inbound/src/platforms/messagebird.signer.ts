/** An independent signer of MessageBird (Bird), written from its documents. */
import { seconds, sha256, jwt } from '../signers/jwt.fixture.ts'
import { type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'messagebird',
    header: 'MessageBird-Signature-JWT',
    url: `${SOURCE_URL}?bar=1&foo=2`,
    body: { id: 'e8077d803532c0b5937c639b60216938', status: 'delivered' },
    type: 'delivered',
    key: 'secret',
    keyConfig: (secret) => ({ secret }),
    claims: ({ body, now }) => ({
      iss: 'MessageBird',
      nbf: seconds(now),
      exp: seconds(now) + 60,
      jti: 'jti-93e55006',
      url_hash: sha256(`${SOURCE_URL}?bar=1&foo=2`),
      payload_hash: sha256(body),
    }),
    covers: { body: true, url: true },
    tolerance: 60 + 60,
  }),
]
