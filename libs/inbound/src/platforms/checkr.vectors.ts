/** Requests of Checkr that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'checkr',
    from: 'checkr/webhook-verification-examples, verify_signature.py',
    credentials: { secret: 'test-secret' },
    headers: {
      'X-Checkr-Signature': 'b7412f05e981a473b5ecbdb5393afaea02a679db6d7c8e56803512ec4ba98151',
    },
    body: '{"monday":"75F","tuesday":"80F"}',
  },
]
