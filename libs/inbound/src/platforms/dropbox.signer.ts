/** An independent signer of Dropbox, written from its documents. */
import { mac, NEVER, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'dropbox',
    header: 'X-Dropbox-Signature',
    body: {
      list_folder: { accounts: ['dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc'] },
      delta: { users: [12345678] },
    },
    id: NEVER,
    handshakes: [
      {
        of: 'the URI',
        request: { method: 'GET', url: '?challenge=abc123', headers: {}, body: '' },
        answer: {
          status: 200,
          body: 'abc123',
          headers: { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' },
        },
      },
    ],
  }),
]
