/** Requests of Braintree that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'braintree',
    from: 'braintree_python, tests/unit/test_webhooks.py',
    method: 'GET',
    url: '?bt_challenge=20f9f8ed05f77439fe955c977e4c8a53',
    credentials: { public_key: 'integration_public_key', private_key: 'integration_private_key' },
    headers: {},
    body: '',
    answer: 'integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4',
  },
]
