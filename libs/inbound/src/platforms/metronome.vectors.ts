/** Requests of Metronome that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'metronome',
    from: 'metronome-node, tests/api-resources/webhooks.test.ts',
    at: 1136239445000,
    credentials: { secret: 'correct-horse-battery-staple' },
    headers: {
      'X-Metronome-Date': 'Mon, 02 Jan 2006 22:04:05 GMT',
      'Metronome-Webhook-Signature':
        'b82652fa2246cf1d8a27e591f155c865f68b46c19b9213fd9c052f2419b4742b',
    },
    body: '{\n  "id": "b2c9e307-624e-4e7d-a5a4-1b74107d78c4",\n  "type": "widget_created",\n  "properties": {\n    "customer_id": "5f794d50-085a-4db6-8d15-286e518b7225",\n    "widget_id": "0891458d-b6f0-4fdd-a41e-380aae1a1e38"\n  }\n}',
  },
]
