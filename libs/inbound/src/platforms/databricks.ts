/** The preset of Databricks. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'databricks',
  name: 'Databricks',
  description: 'Databricks MLflow Model Registry (legacy) webhooks.',
  mode: 'hmac',
  docs: 'https://docs.databricks.com/en/mlflow/model-registry-webhooks.html',
  configKeys: [SECRET],
  verify: bodyHmac('X-Databricks-Signature'),
  eventType: ['$.event'],
  deliveryId: [],
  notes:
    'For webhooks of the model registry. Notifications of jobs and alerts are not signed and are refused.',
}
