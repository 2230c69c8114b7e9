/** An independent signer of Heroku, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'heroku',
    header: 'Heroku-Webhook-Hmac-SHA256',
    digest: ['sha256', 'base64'],
    body: {
      action: 'update',
      webhook_metadata: {
        attempt: { id: 'a1' },
        delivery: { id: 'd1' },
        event: { id: '6f1c5e0a', include: 'api:release' },
      },
    },
    type: 'api:release',
    id: '6f1c5e0a',
  }),
]
