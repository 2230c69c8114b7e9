/** An independent signer of X (Twitter), written from its documents. */
import { hmac, mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'twitter',
    header: 'x-twitter-webhooks-signature',
    secretIn: 'consumer_secret',
    digest: ['sha256', 'base64'],
    show: (sig) => `sha256=${sig}`,
    body: { for_user_id: '2244994945', tweet_create_events: [{ id_str: '1' }] },
    type: 'tweet_create_events',
    handshakes: [
      {
        of: 'the secret',
        request: { method: 'GET', url: '?crc_token=challenge_string', headers: {}, body: '' },
        config: { consumer_secret: 'consumer' },
        answer: {
          status: 200,
          body: JSON.stringify({
            response_token: `sha256=${hmac('consumer', 'challenge_string', ['sha256', 'base64'])}`,
          }),
        },
      },
    ],
  }),
]
