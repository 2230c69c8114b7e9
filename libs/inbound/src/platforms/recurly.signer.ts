/** An independent signer of Recurly, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const recurly = {
  id: '1000005',
  object_type: 'account',
  site_id: 's',
  event_type: 'created',
  event_time: '2023-11-14T22:13:20Z',
  account_code: '1',
}

export const signers: readonly Signer[] = [
  mac({
    source: 'recurly',
    header: 'recurly-signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `${t},00ff,${s}`,
    time: { unit: 'ms', tolerance: 300 },
    body: recurly,
    type: 'account.created',
    id: '1000005',
  }),
]
