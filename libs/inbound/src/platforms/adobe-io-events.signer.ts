/** An independent signer of Adobe I/O Events, written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  asymmetric({
    source: 'adobe-io-events',
    body: {
      event_id: '1f2e',
      recipient_client_id: 'client-1',
      recipientclientid: 'client-1',
      specversion: '1.0',
      type: 'com.adobe.acrobatsign.agreement_created',
      id: 'ce-1',
      source: 'urn:uuid:1',
      data: {},
    },
    headers: {
      'x-adobe-event-id': '9e5a39e5-5bd1-4d02-a5a9-ef4d8a8e2c1f',
      'x-adobe-public-key2-path': '/prod/keys/pub-key-none.pem',
    },
    type: 'com.adobe.acrobatsign.agreement_created',
    id: '9e5a39e5-5bd1-4d02-a5a9-ef4d8a8e2c1f',
    kind: 'rsa',
    hash: 'sha256',
    header: 'x-adobe-digital-signature-1',
    keyAt: {
      header: 'x-adobe-public-key1-path',
      text: (key) => `/prod/keys/pub-${key}.pem`,
      url: (key) => `https://static.adobeioevents.com/prod/keys/pub-${key}.pem`,
    },
    pinned: { client_id: 'client-1' },
    handshakes: [
      {
        of: 'a question of GET',
        request: {
          method: 'GET',
          url: '?challenge=8ec8d794-e0ab-42df-9017-e3dada8e84f7',
          headers: {},
          body: '',
        },
        answer: { status: 200, body: '8ec8d794-e0ab-42df-9017-e3dada8e84f7' },
      },
    ],
  }),
]
