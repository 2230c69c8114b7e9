/** An independent signer of Adyen (platform / management webhooks), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'adyen-platform',
    header: 'HmacSignature',
    headers: { Protocol: 'HmacSHA256' },
    key: 'hex',
    digest: ['sha256', 'base64'],
    body: {
      data: { balancePlatform: 'P', accountHolder: { id: 'AH1', status: 'active' } },
      environment: 'test',
      timestamp: '2023-11-14T22:13:20+01:00',
      type: 'balancePlatform.accountHolder.created',
    },
    type: 'balancePlatform.accountHolder.created',
  }),
]
