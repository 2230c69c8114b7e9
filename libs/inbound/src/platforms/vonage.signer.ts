/** An independent signer of Vonage (Nexmo), written from its documents. */
import { seconds, sha256, jwt } from '../signers/jwt.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'vonage',
    scheme: 'Bearer ',
    body: {
      message_uuid: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab',
      status: 'delivered',
      timestamp: '2023-11-14T22:13:20.000Z',
    },
    type: 'delivered',
    id: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab:delivered',
    key: 'secret',
    keyConfig: (secret) => ({ secret, api_key: 'abcd1234' }),
    pinned: { api_key: 'abcd1234' },
    claims: ({ body, now }) => ({
      iss: 'Vonage',
      api_key: 'abcd1234',
      iat: seconds(now),
      jti: 'jti-c5ba8f24',
      payload_hash: sha256(body),
    }),
    covers: { body: true },
    tolerance: 300,
  }),
]
