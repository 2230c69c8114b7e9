/** An independent signer of Netlify, written from its documents. */
import { sha256, jwt } from '../signers/jwt.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'netlify',
    header: 'X-Webhook-Signature',
    headers: { 'X-Netlify-Event': 'deploy_created' },
    body: { id: '52465f9803fcc06f7b2a2a3c', state: 'ready' },
    type: 'deploy_created',
    key: 'secret',
    keyConfig: (secret) => ({ secret }),
    claims: ({ body }) => ({ iss: 'netlify', sha256: sha256(body) }),
    covers: { body: true },
  }),
]
