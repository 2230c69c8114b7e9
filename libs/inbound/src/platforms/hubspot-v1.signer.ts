/** An independent signer of HubSpot (v1), written from its documents. */
import { digest, hashed } from '../signers/hashed.fixture.ts'
import { CONTACT_CREATION } from '../signers/hubspot.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  hashed({
    source: 'hubspot-v1',
    header: 'X-HubSpot-Signature',
    headers: { 'X-HubSpot-Signature-Version': 'v1' },
    hash: digest('sha256'),
    text: (body, secret) => `${secret}${body}`,
    body: CONTACT_CREATION,
    type: 'contact.creation',
    id: '100:12345:1564113600000',
  }),
]
