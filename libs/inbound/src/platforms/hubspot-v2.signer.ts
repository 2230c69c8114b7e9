/** An independent signer of HubSpot (v2), written from its documents. */
import { digest, hashed } from '../signers/hashed.fixture.ts'
import { CONTACT_CREATION } from '../signers/hubspot.fixture.ts'
import { type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  hashed({
    source: 'hubspot-v2',
    header: 'X-HubSpot-Signature',
    headers: { 'X-HubSpot-Signature-Version': 'v2' },
    hash: digest('sha256'),
    text: (body, secret) => `${secret}POST${SOURCE_URL}${body}`,
    coversUrl: true,
    body: CONTACT_CREATION,
    type: 'contact.creation',
  }),
]
