/** An independent signer of Canva, written from its documents. */
import { seconds, jwt } from '../signers/jwt.fixture.ts'
import { keySet } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'canva',
    body: '',
    whole: true,
    key: 'ed25519',
    alg: 'EdDSA',
    keyConfig: () => ({ client_id: 'OC-1' }),
    pinned: { client_id: 'OC-1' },
    claims: ({ now }) => ({
      aud: 'OC-1',
      iat: seconds(now),
      exp: seconds(now) + 300,
      id: 'n1',
      content: { type: 'share_design' },
    }),
    covers: { body: true },
    tolerance: 300,
    type: 'share_design',
    published: { 'https://api.canva.com/rest/v1/connect/keys': keySet('ed25519') },
  }),
]
