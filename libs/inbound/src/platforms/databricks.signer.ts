/** An independent signer of Databricks, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'databricks',
    header: 'X-Databricks-Signature',
    body: {
      event: 'MODEL_VERSION_CREATED',
      webhook_id: 'c5596721253c4b429368cf6f4341b88a',
      event_timestamp: 1700000000000,
      model_name: 'm',
    },
    type: 'MODEL_VERSION_CREATED',
  }),
]
