/** An independent signer of Veriff, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'veriff',
    header: 'X-HMAC-SIGNATURE',
    headers: { 'X-AUTH-CLIENT': 'api-key-1' },
    config: { api_key: 'api-key-1' },
    pinned: { api_key: 'api-key-1' },
    body: { id: 'f04b', attemptId: 'a', feature: 'selfid', code: 7002, action: 'submitted' },
    type: 'submitted',
  }),
  mac({
    source: 'veriff',
    variant: 'by the newer names',
    header: 'VRF-HMAC-SIGNATURE',
    headers: { 'VRF-AUTH-CLIENT': 'api-key-1' },
    config: { api_key: 'api-key-1' },
    pinned: { api_key: 'api-key-1' },
    body: {
      status: 'success',
      verification: { id: 'f04b', attemptId: 'a', code: 9001, status: 'approved' },
    },
    type: 'approved',
  }),
]
