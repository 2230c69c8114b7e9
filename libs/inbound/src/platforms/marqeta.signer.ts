/** An independent signer of Marqeta, written from its documents. */
import { basic, hmac, type Signer } from '../signers/signer.fixture.ts'

const marqeta = { transactions: [{ type: 'authorization', state: 'PENDING', token: '7e8d45f2' }] }

export const signers: readonly Signer[] = [
  basic({
    source: 'marqeta',
    body: marqeta,
    type: 'transactions.authorization',
    id: 'transactions:7e8d45f2',
    handshakes: [
      {
        of: 'a ping',
        signed: true,
        request: {
          headers: {},
          body: '{"pings":[{"token":"marqeta","payload":"healthcheck"}]}',
        },
        answer: { status: 200 },
      },
    ],
  }),
  marqetaSigned('sha1'),
  marqetaSigned('sha256'),
]

function marqetaSigned(algorithm: 'sha1' | 'sha256'): Signer {
  const base = basic({
    source: 'marqeta',
    variant: `signed by ${algorithm}`,
    body: marqeta,
    type: 'transactions.authorization',
    id: 'transactions:7e8d45f2',
  })
  const pair = Buffer.from('platform:password').toString('base64')
  return {
    ...base,
    config: (secret) => ({
      username: 'platform',
      password: 'password',
      secret,
      signature_algorithm: algorithm,
    }),
    sign: ({ body, secret, touch }) => ({
      body,
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Basic ${pair}`,
        'X-Marqeta-Signature': touch(hmac(secret, body, [algorithm, 'hex'])),
      },
    }),
    covers: { body: true },
    optional: true,
    carriedIn: ['X-Marqeta-Signature'],
    pinned: { username: 'platform', password: 'password' },
  }
}
