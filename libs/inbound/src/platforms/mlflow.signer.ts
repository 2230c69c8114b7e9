/** An independent signer of MLflow, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'mlflow',
    header: 'X-MLflow-Signature',
    digest: ['sha256', 'base64'],
    headers: { 'X-MLflow-Delivery-Id': 'dlv-1' },
    signed: (body, t) => `dlv-1.${t}.${body}`,
    show: (s) => `v1,${s}`,
    time: { unit: 's', header: 'X-MLflow-Timestamp', tolerance: 300 },
    body: {
      entity: 'model_version',
      action: 'created',
      timestamp: '2023-11-14T22:13:20Z',
      data: {},
    },
    type: 'model_version.created',
    id: 'dlv-1',
  }),
]
