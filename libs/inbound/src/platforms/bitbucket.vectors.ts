/** Requests of Bitbucket that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'bitbucket',
    from: 'Bitbucket Cloud’s documents, manage webhooks',
    credentials: { secret: "It's a Secret to Everybody" },
    headers: {
      'X-Hub-Signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9',
    },
    body: 'Hello World!',
  },
]
