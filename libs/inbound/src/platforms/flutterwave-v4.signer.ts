/** An independent signer of Flutterwave (v4), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'flutterwave-v4',
    header: 'flutterwave-signature',
    digest: ['sha256', 'base64'],
    body: {
      webhook_id: 'wbk_1',
      timestamp: 1700000000000,
      type: 'charge.completed',
      data: { id: 'chg_1' },
    },
    type: 'charge.completed',
    id: 'wbk_1',
  }),
]
