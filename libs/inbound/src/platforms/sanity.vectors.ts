/** Requests of Sanity that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'sanity',
    from: '@sanity/webhook, test/signature.test.ts',
    at: 1633519811129,
    credentials: { secret: 'test' },
    headers: {
      'sanity-webhook-signature': 't=1633519811129,v1=tLa470fx7qkLLEcMOcEUFuBbRSkGujyskxrNXcoh0N0',
    },
    body: '{"_id":"resume"}',
  },
]
