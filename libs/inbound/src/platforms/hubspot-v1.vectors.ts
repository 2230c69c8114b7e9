/** Requests of HubSpot (v1) that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'hubspot-v1',
    from: 'HubSpot/hubspot-api-nodejs, test/unit/signature.spec.ts',
    credentials: { secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy' },
    headers: {
      'X-HubSpot-Signature-Version': 'v1',
      'X-HubSpot-Signature': '232db2615f3d666fe21a8ec971ac7b5402d33b9a925784df3ca654d05f4817de',
    },
    body: '[{"eventId":1,"subscriptionId":12345,"portalId":62515,"occurredAt":1564113600000,"subscriptionType":"contact.creation","attemptNumber":0,"objectId":123,"changeSource":"CRM","changeFlag":"NEW","appId":54321}]',
  },
]
