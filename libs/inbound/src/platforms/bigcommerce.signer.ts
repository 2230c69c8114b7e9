/** An independent signer of BigCommerce, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'bigcommerce',
    key: 'utf8',
    body: {
      scope: 'store/order/statusUpdated',
      store_id: '1025646',
      data: { type: 'order', id: 250 },
      hash: 'dd70c0976e06b67aaf671e73f49dcb79230ebf9d',
      created_at: 1561479335,
      producer: 'stores/abc',
    },
    type: 'store/order/statusUpdated',
  }),
]
