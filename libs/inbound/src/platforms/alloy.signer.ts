/** An independent signer of Alloy, written from its documents. */
import { basic, mac, type Signer } from '../signers/signer.fixture.ts'

const alloy = {
  request_token: '8b2e1d3a-request',
  type: 'application_updated',
  timestamp: 1700000000000,
  data: { entity_token: 'P-1' },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'alloy',
    header: 'Authorization',
    digest: ['sha256', 'base64'],
    body: alloy,
    type: alloy.type,
    id: alloy.request_token,
  }),
  basic({
    source: 'alloy',
    variant: 'by password',
    body: alloy,
    type: alloy.type,
    id: alloy.request_token,
  }),
]
