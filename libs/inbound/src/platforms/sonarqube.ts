/** The preset of SonarQube Server / SonarQube Cloud (SonarCloud). */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'sonarqube',
  name: 'SonarQube Server / SonarQube Cloud (SonarCloud)',
  description: 'Sonar analysis-finished (quality gate) webhooks with an optional HMAC signature.',
  mode: 'hmac',
  docs: 'https://docs.sonarsource.com/sonarqube-server/latest/project-administration/webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('X-Sonar-Webhook-HMAC-SHA256'),
  eventType: ['$.qualityGate.status', '$.status'],
  deliveryId: ['$.taskId'],
  notes: 'Without a secret Sonar signs nothing and is refused.',
}
