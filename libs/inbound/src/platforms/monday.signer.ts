/** An independent signer of monday.com, written from its documents. */
import { seconds, jwt } from '../signers/jwt.fixture.ts'
import { type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'monday',
    body: {
      event: {
        userId: 1,
        type: 'create_pulse',
        triggerUuid: 'b5ed2e17c530f43668de130142445cba',
        boardId: 2,
      },
    },
    type: 'create_pulse',
    id: 'b5ed2e17c530f43668de130142445cba',
    key: 'secret',
    keyConfig: (secret) => ({ secret, webhook_url: SOURCE_URL }),
    pinned: { webhook_url: 'https://hooks.example.com/other' },
    claims: ({ now }) => ({
      accountId: 1,
      userId: 2,
      aud: SOURCE_URL,
      iat: seconds(now),
      exp: seconds(now) + 300,
    }),
    covers: { body: false },
    tolerance: 300 + 60,
    handshakes: [
      {
        of: 'the URL',
        request: {
          headers: {},
          body: '{"challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}',
        },
        answer: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: '{"challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}',
        },
      },
    ],
  }),
]
