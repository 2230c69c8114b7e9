/** Requests of HubSpot (v2) that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'hubspot-v2',
    from: 'HubSpot/hubspot-api-nodejs, test/unit/signature.spec.ts',
    method: 'GET',
    credentials: {
      secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
      webhook_url: 'https://www.example.com/webhook_uri',
    },
    headers: {
      'X-HubSpot-Signature-Version': 'v2',
      'X-HubSpot-Signature': 'eee2dddcc73c94d699f5e395f4b9d454a069a6855fbfa152e91e88823087200e',
    },
    body: '',
  },
  {
    source: 'hubspot-v2',
    from: 'HubSpot/hubspot-api-nodejs, test/unit/signature.spec.ts',
    method: 'POST',
    credentials: {
      secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
      webhook_url: 'https://www.example.com/webhook_uri',
    },
    headers: {
      'X-HubSpot-Signature-Version': 'v2',
      'X-HubSpot-Signature': '9569219f8ba981ffa6f6f16aa0f48637d35d728c7e4d93d0d52efaa512af7900',
    },
    body: '{"example_field":"example_value"}',
  },
]
