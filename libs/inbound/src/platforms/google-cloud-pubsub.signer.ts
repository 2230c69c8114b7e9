/** An independent signer of Google Cloud Pub/Sub (push), written from its documents. */
import { seconds, jwt } from '../signers/jwt.fixture.ts'
import { keySet } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'google-cloud-pubsub',
    scheme: 'Bearer ',
    body: {
      message: {
        attributes: { eventType: 'OBJECT_FINALIZE' },
        data: 'eyJhIjoxfQ==',
        messageId: '2070443601311540',
        publishTime: '2023-11-14T22:13:20Z',
      },
      subscription: 'projects/p/subscriptions/s',
    },
    type: 'OBJECT_FINALIZE',
    id: '2070443601311540',
    key: 'rsa',
    keyConfig: () => ({
      audience: 'https://example.com',
      service_account_email: 'push@p.iam.gserviceaccount.com',
    }),
    pinned: {
      audience: 'https://example.com',
      service_account_email: 'push@p.iam.gserviceaccount.com',
    },
    claims: ({ now }) => ({
      aud: 'https://example.com',
      azp: '1',
      email: 'push@p.iam.gserviceaccount.com',
      email_verified: true,
      iss: 'https://accounts.google.com',
      sub: '1',
      iat: seconds(now),
      exp: seconds(now) + 3600,
    }),
    covers: { body: false },
    tolerance: 3600 + 60,
    published: { 'https://www.googleapis.com/oauth2/v3/certs': keySet('rsa') },
  }),
]
