/** An independent signer of PandaDoc, written from its documents. */
import { JSON_TYPE } from '../signers/bodies.fixture.ts'
import { hmac, secretsOf, type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  {
    source: 'pandadoc',
    secrets: secretsOf('pandadoc', 'utf8'),
    config: (secret) => ({ secret }),
    body: JSON.stringify([
      {
        event: 'document_state_changed',
        data: { id: 'msFYActMfJHqNTKH8YSvF1', status: 'document.sent' },
      },
    ]),
    sign: ({ body, secret, touch }) => ({
      url: `${SOURCE_URL}?signature=${touch(hmac(secret, body))}`,
      headers: JSON_TYPE,
      body,
    }),
    covers: { body: true },
    carriedIn: [],
    eventType: 'document_state_changed',
    deliveryId: null,
  },
]
