/** An independent signer of Trello, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'trello',
    header: 'X-Trello-Webhook',
    digest: ['sha1', 'base64'],
    signed: (body, _, url) => `${body}${url}`,
    coversUrl: true,
    body: { action: { id: '51f9424bcd6e040f3c002412', type: 'updateCard' }, model: {} },
    type: 'updateCard',
    id: '51f9424bcd6e040f3c002412',
    handshakes: [
      {
        of: 'the URL',
        request: { method: 'HEAD', headers: {}, body: '' },
        answer: { status: 200 },
      },
    ],
  }),
]
