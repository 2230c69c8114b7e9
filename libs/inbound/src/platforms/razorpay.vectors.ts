/** Requests of Razorpay that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'razorpay',
    from: 'razorpay-node, test/utils/razorpay-utils.spec.js',
    credentials: { secret: '123456' },
    headers: {
      'X-Razorpay-Signature': '2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc',
    },
    body: '{"a":1,"b":2,"c":{"d":3}}',
  },
]
