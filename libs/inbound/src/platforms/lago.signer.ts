/** An independent signer of Lago (HMAC), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const lago = {
  webhook_type: 'customer.created',
  object_type: 'customer',
  organization_id: 'o',
  customer: { lago_id: '1' },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'lago',
    header: 'X-Lago-Signature',
    digest: ['sha256', 'base64'],
    headers: { 'X-Lago-Signature-Algorithm': 'hmac', 'X-Lago-Unique-Key': '6f3f' },
    body: lago,
    type: 'customer.created',
    id: '6f3f',
  }),
]
