/** An independent signer of Gong, written from its documents. */
import { seconds, sha256, jwt } from '../signers/jwt.fixture.ts'
import { spki } from '../signers/keys.fixture.ts'
import { type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'gong',
    scheme: 'Bearer ',
    body: { callData: { metaData: { id: '7782342274025937895' } }, isTest: false },
    id: '7782342274025937895',
    key: 'rsa',
    keyConfig: (name) => ({ public_key: spki(name), webhook_url: SOURCE_URL }),
    pinned: { webhook_url: 'https://hooks.example.com/other' },
    claims: ({ body, now }) => ({
      webhook_url: SOURCE_URL,
      body_sha256: sha256(body),
      iat: seconds(now),
      exp: seconds(now) + 300,
    }),
    covers: { body: true },
    tolerance: 300 + 60,
  }),
]
