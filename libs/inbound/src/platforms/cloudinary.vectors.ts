/** Requests of Cloudinary that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'cloudinary',
    from: 'pycloudinary, test/test_utils.py',
    at: 0,
    credentials: { secret: 'someApiSecret', algorithm: 'sha256' },
    headers: {
      'X-Cld-Timestamp': '0',
      'X-Cld-Signature': 'd5497e1a206ad0ba29ad09a7c0c5f22e939682d15009c15ab3199f62fefbd14b',
    },
    body: '{}',
  },
]
