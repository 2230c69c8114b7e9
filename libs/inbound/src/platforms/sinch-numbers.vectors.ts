/** Requests of Sinch Numbers that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'sinch-numbers',
    from: 'sinch-sdk-python, test_authentication_validation.py',
    credentials: { secret: 'my-callback-secret' },
    headers: { 'X-Sinch-Signature': 'd2107528d5d52897a97dc6e24e09a208036ccd83' },
    body: '{"eventId":"event_id","timestamp":"2025-04-08T10:38:04.854087603","projectId":"project-id","resourceId":"+1234567890","resourceType":"ACTIVE_NUMBER","eventType":"PROVISIONING_TO_VOICE_PLATFORM","status":"SUCCEEDED","failureCode":null,"internalFailureCode":null}',
  },
]
