/** An independent signer of LinkedIn, written from its documents. */
import { hmac, mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'linkedin',
    header: 'X-LI-Signature',
    signed: (body) => `hmacsha256=${body}`,
    body: {
      type: 'ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS',
      notifications: [{ notificationId: 52 }],
    },
    type: 'ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS',
    id: '52',
    handshakes: [
      {
        of: 'the endpoint',
        request: {
          method: 'GET',
          url: '?challengeCode=890e4665-4dfe-4ab1-b689-ed553bceeed0',
          headers: {},
          body: '',
        },
        config: { secret: 'client-secret' },
        answer: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            challengeCode: '890e4665-4dfe-4ab1-b689-ed553bceeed0',
            challengeResponse: hmac('client-secret', '890e4665-4dfe-4ab1-b689-ed553bceeed0'),
          }),
        },
      },
    ],
  }),
  mac({
    source: 'linkedin',
    variant: 'after a prefix',
    header: 'X-LI-Signature',
    signed: (body) => `hmacsha256=${body}`,
    show: (s) => `hmacsha256=${s}`,
    body: { type: 'T', notifications: [{ notificationId: 52 }] },
    type: 'T',
    id: '52',
  }),
]
