/** An independent signer of Plaid, written from its documents. */
import { seconds, sha256, jwt } from '../signers/jwt.fixture.ts'
import { idOf, jwkOf, namesOf } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

const plaidKeys = 'https://production.plaid.com/webhook_verification_key/get'

export const signers: readonly Signer[] = [
  jwt({
    source: 'plaid',
    header: 'Plaid-Verification',
    body: { webhook_type: 'TRANSACTIONS', webhook_code: 'SYNC_UPDATES_AVAILABLE', item_id: 'w' },
    type: 'TRANSACTIONS.SYNC_UPDATES_AVAILABLE',
    key: 'ec',
    alg: 'ES256',
    keyConfig: () => ({ client_id: 'c', secret: 's', environment: 'production' }),
    claims: ({ body, now }) => ({ iat: seconds(now), request_body_sha256: sha256(body) }),
    covers: { body: true },
    tolerance: 300,
    published: Object.fromEntries(
      namesOf('ec').map((name) => [
        `${plaidKeys} ${idOf(name)}`,
        JSON.stringify({
          key: { ...jwkOf(name), created_at: 1, expired_at: null },
          request_id: 'r',
        }),
      ]),
    ),
  }),
]
