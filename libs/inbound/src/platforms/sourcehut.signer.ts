/** An independent signer of SourceHut, written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import { rawKey } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  asymmetric({
    source: 'sourcehut',
    kind: 'ed25519',
    hash: null,
    shown: (name) => rawKey(name).toString('base64'),
    header: 'X-Payload-Signature',
    headers: {
      'X-Payload-Nonce': '5f6c',
      'X-Webhook-Event': 'repo:post-update',
      'X-Webhook-Delivery': '15f3',
    },
    signed: (body) => `${body}5f6c`,
    body: { push: 'p', refs: [] },
    type: 'repo:post-update',
    id: '15f3',
  }),
]
