/** An independent signer of Discord, written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import { rawKey } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  asymmetric({
    source: 'discord',
    kind: 'ed25519',
    hash: null,
    encoding: 'hex',
    shown: (name) => rawKey(name).toString('hex'),
    header: 'X-Signature-Ed25519',
    signed: (body, t) => `${t}${body}`,
    time: { unit: 's', header: 'X-Signature-Timestamp', tolerance: null },
    body: {
      type: 2,
      id: '846462639134605312',
      application_id: '1',
      data: { name: 'cardsearch' },
      token: 'A_UNIQUE_TOKEN',
      version: 1,
    },
    type: '2',
    id: '846462639134605312',
    handshakes: [
      {
        of: 'an interaction',
        signed: true,
        request: { headers: {}, body: '{"type":1,"id":"1","application_id":"2","version":1}' },
        answer: {
          status: 200,
          body: '{"type":1}',
          headers: { 'content-type': 'application/json' },
        },
      },
      {
        of: 'webhook events',
        signed: true,
        request: {
          headers: {},
          body: '{"version":1,"application_id":"1234560123453231555","type":0}',
        },
        answer: { status: 204, body: '' },
      },
    ],
  }),
  asymmetric({
    source: 'discord',
    variant: 'an event',
    kind: 'ed25519',
    hash: null,
    encoding: 'hex',
    shown: (name) => rawKey(name).toString('hex'),
    header: 'X-Signature-Ed25519',
    signed: (body, t) => `${t}${body}`,
    time: { unit: 's', header: 'X-Signature-Timestamp', tolerance: null },
    body: {
      version: 1,
      application_id: '1234560123453231555',
      type: 1,
      event: { type: 'APPLICATION_AUTHORIZED', timestamp: '2023-11-14T22:13:20.908Z', data: {} },
    },
    type: 'APPLICATION_AUTHORIZED',
  }),
]
