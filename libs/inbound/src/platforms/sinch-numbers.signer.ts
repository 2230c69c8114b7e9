/** An independent signer of Sinch Numbers, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'sinch-numbers',
    header: 'X-Sinch-Signature',
    digest: ['sha1', 'hex'],
    body: {
      eventId: 'event_id',
      projectId: 'p',
      eventType: 'PROVISIONING_TO_VOICE_PLATFORM',
      status: 'SUCCEEDED',
    },
    type: 'PROVISIONING_TO_VOICE_PLATFORM',
    id: 'event_id',
  }),
]
