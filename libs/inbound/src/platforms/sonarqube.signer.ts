/**
 * An independent signer of SonarQube Server / SonarQube Cloud (SonarCloud), written from its
 * documents.
 */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'sonarqube',
    header: 'X-Sonar-Webhook-HMAC-SHA256',
    headers: { 'X-SonarQube-Project': 'p' },
    body: { taskId: 'AXouyxDpizdp4B1K', status: 'SUCCESS', qualityGate: { status: 'OK' } },
    type: 'OK',
    id: 'AXouyxDpizdp4B1K',
  }),
]
