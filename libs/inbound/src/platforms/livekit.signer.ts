/** An independent signer of LiveKit, written from its documents. */
import { seconds, sha256, jwt } from '../signers/jwt.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'livekit',
    contentType: 'application/webhook+json',
    body: { event: 'room_started', id: 'EV_3vZV', createdAt: '1700000000', room: { sid: 'RM_1' } },
    type: 'room_started',
    id: 'EV_3vZV',
    key: 'secret',
    keyConfig: (secret) => ({ api_key: 'APIkey', api_secret: secret }),
    pinned: { api_key: 'APIkey' },
    claims: ({ body, now }) => ({
      iss: 'APIkey',
      nbf: seconds(now),
      exp: seconds(now) + 300,
      sha256: sha256(body, 'base64'),
    }),
    covers: { body: true },
    tolerance: 300 + 60,
  }),
]
