/** Requests of Formstack that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'formstack',
    from: 'hookdeck/webhook-skills, a captured delivery',
    credentials: { secret: 'test1' },
    headers: {
      'X-FS-Signature': 'sha256=30dff7f180b6d69eab397a5d51719474df490b730514c253e8b5832d3b51b970',
    },
    body: 'FormID=6606394&UniqueID=1500878955&HandshakeKey=test',
  },
]
