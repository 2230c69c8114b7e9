/** An independent signer of Lago (JWT), written from its documents. */
import { jwt } from '../signers/jwt.fixture.ts'
import { pem } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'lago-jwt',
    header: 'X-Lago-Signature',
    headers: { 'X-Lago-Signature-Algorithm': 'jwt', 'X-Lago-Unique-Key': '6f3f' },
    body: { webhook_type: 'invoice.created', invoice: { lago_id: '1' } },
    type: 'invoice.created',
    id: '6f3f',
    key: 'rsa',
    keyConfig: (name) => ({ public_key: Buffer.from(pem(name)).toString('base64') }),
    claims: ({ body }) => ({ data: body, iss: 'https://api.getlago.com' }),
    covers: { body: true },
  }),
]
