/** An independent signer of Circle, written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import { spki } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  asymmetric({
    source: 'circle',
    kind: 'ec',
    hash: 'sha256',
    header: 'X-Circle-Signature',
    config: { api_key: 'TEST_API_KEY:1:2' },
    keyAt: {
      header: 'X-Circle-Key-Id',
      text: (key) => circleKey(key),
      url: (key) => `https://api.circle.com/v2/notifications/publicKey/${circleKey(key)}`,
      document: (name) =>
        JSON.stringify({ data: { id: name, algorithm: 'ECDSA_SHA_256', publicKey: spki(name) } }),
    },
    body: {
      subscriptionId: '00000000-0000-0000-0000-000000000000',
      notificationId: '8f4b1a52-6c84-4b3b-9d27-1f4e8c1d2a3b',
      notificationType: 'transactions.inbound',
      notification: { id: 'x' },
      timestamp: '2023-11-14T22:13:20Z',
      version: 2,
    },
    type: 'transactions.inbound',
    id: '8f4b1a52-6c84-4b3b-9d27-1f4e8c1d2a3b',
    handshakes: [
      {
        of: 'the subscription',
        request: { method: 'HEAD', headers: {}, body: '' },
        answer: { status: 200 },
      },
    ],
  }),
]

/** Circle's ids of keys are UUIDs. */
function circleKey(key: string): string {
  return `879dc113-5ca4-4ff7-a6b7-5465408332${key.replace('key-', '0')}`
}
