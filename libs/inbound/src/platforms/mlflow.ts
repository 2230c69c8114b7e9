/** The preset of MLflow. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'mlflow',
  name: 'MLflow',
  description: 'MLflow OSS model registry and prompt webhooks.',
  mode: 'provider_specific',
  docs: 'https://mlflow.org/docs/latest/ml/webhooks/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: {
      at: { header: 'X-MLflow-Signature' },
      format: { kind: 'list', separator: ' ', prefix: 'v1,' },
    },
    signed: '{header:X-MLflow-Delivery-Id}.{t}.{body}',
    timestamp: { at: { header: 'X-MLflow-Timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
  },
  eventType: ['{$.entity}.{$.action}'],
  deliveryId: ['$.headers.X-MLflow-Delivery-Id'],
  notes:
    'For MLflow as open source, with a database behind it; managed services may not have webhooks.',
}
