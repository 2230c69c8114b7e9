/** An independent signer of incident.io, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'incident-io',
    body: {
      event_type: 'public_incident.incident_created_v2',
      'public_incident.incident_created_v2': { id: '01' },
    },
    type: 'public_incident.incident_created_v2',
  }),
]
