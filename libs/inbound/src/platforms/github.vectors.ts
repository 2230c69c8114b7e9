/** Requests of GitHub that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'github',
    from: 'GitHub’s documents, validating webhook deliveries',
    credentials: { secret: "It's a Secret to Everybody" },
    headers: {
      'X-Hub-Signature-256':
        'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    body: 'Hello, World!',
  },
  {
    source: 'github',
    from: 'octokit/webhooks-methods.js, test/verify.test.ts',
    credentials: { secret: 'mysecret' },
    headers: {
      'X-Hub-Signature-256':
        'sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3',
    },
    body: '{"foo":"bar"}',
  },
]
