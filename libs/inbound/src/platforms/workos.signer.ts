/** An independent signer of WorkOS, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'workos',
    header: 'WorkOS-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t}, v1=${s}`,
    time: { unit: 'ms', tolerance: 180 },
    body: {
      id: 'event_01',
      event: 'dsync.user.created',
      data: {},
      created_at: '2023-11-14T22:13:20.000Z',
    },
    type: 'dsync.user.created',
    id: 'event_01',
  }),
]
