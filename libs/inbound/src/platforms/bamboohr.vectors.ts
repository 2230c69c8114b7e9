/** Requests of BambooHR that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'bamboohr',
    from: 'fusebit/integrations, bamboohr-connector, test/webhook.test.ts',
    at: 1658248023000,
    credentials: { secret: '123b929362d51613054f71e5e5d4bf2c' },
    headers: {
      'X-BambooHR-Timestamp': '1658248023',
      'X-BambooHR-Signature': '56491dd9c2b352bc5f4fc627159aae20ddff9c8cb19f239a6de6771dc5310bac',
    },
    body: '{"employees":[{"changedFields":["First name"],"fields":{"Employee #":{"value":"300"},"First name":{"value":"Tefi"},"Last name":{"value":"Adams"}},"id":"5"}]}',
  },
]
