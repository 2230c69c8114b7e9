/** An independent signer of ShipStation / ShipEngine, written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import { jwkOf } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  asymmetric({
    source: 'shipstation',
    kind: 'rsa',
    hash: 'sha256',
    header: 'x-shipengine-rsa-sha256-signature',
    signed: (body, t) => `${t}.${body}`,
    time: { unit: 'iso', header: 'x-shipengine-timestamp', tolerance: 300 },
    keyAt: {
      header: 'x-shipengine-rsa-sha256-key-id',
      text: (key) => key,
      url: () => 'https://api.shipengine.com/jwks',
      document: () => JSON.stringify({ keys: ['rsa:1', 'rsa:2'].map(jwkOf) }),
    },
    body: {
      resource_url: 'https://api.shipengine.com/v1/batches/se-1',
      resource_type: 'API_BATCH',
    },
    type: 'API_BATCH',
  }),
]
