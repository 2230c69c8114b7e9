/** An independent signer of Close CRM, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'close',
    header: 'close-sig-hash',
    key: 'hex',
    signed: (body, t) => `${t}${body}`,
    time: { unit: 's', header: 'close-sig-timestamp', tolerance: 300 },
    body: {
      event: {
        id: 'ev_2sYKRjcrA79yKxi3S4Crd7',
        action: 'updated',
        object_type: 'lead',
        object_id: 'lead_1',
      },
      subscription_id: 'whsub_1',
    },
    type: 'lead.updated',
    id: 'ev_2sYKRjcrA79yKxi3S4Crd7',
  }),
]
