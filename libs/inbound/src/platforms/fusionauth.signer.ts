/** An independent signer of FusionAuth, written from its documents. */
import { sha256, jwt } from '../signers/jwt.fixture.ts'
import { pem } from '../signers/keys.fixture.ts'
import type { Signer, SigningInput } from '../signers/signer.fixture.ts'

const user = {
  event: {
    id: 'e502168a-b469-45d9-a079-fd45f83e0406',
    type: 'user.create',
    createInstant: 1700000000000,
  },
}

const fusion = {
  source: 'fusionauth',
  header: 'X-FusionAuth-Signature-JWT',
  body: user,
  type: 'user.create',
  id: user.event.id,
  covers: { body: true },
  claims: ({ body }: SigningInput) => ({ request_body_sha256: sha256(body, 'base64') }),
} as const

export const signers: readonly Signer[] = [
  jwt({ ...fusion, key: 'secret', keyConfig: (secret) => ({ secret }) }),
  jwt({
    ...fusion,
    variant: 'of HS512',
    key: 'secret',
    alg: 'HS512',
    keyConfig: (secret) => ({ secret }),
  }),
  jwt({
    ...fusion,
    variant: 'by a key',
    key: 'rsa',
    keyConfig: (name) => ({ public_key: pem(name) }),
  }),
  jwt({
    ...fusion,
    variant: 'of a curve',
    key: 'ec',
    alg: 'ES256',
    keyConfig: (name) => ({ public_key: pem(name) }),
  }),
  jwt({
    ...fusion,
    variant: 'of Ed25519',
    key: 'ed25519',
    alg: 'EdDSA',
    keyConfig: (name) => ({ public_key: pem(name) }),
  }),
]
