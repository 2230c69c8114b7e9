/** An independent signer of Dialpad, written from its documents. */
import { jwt } from '../signers/jwt.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

const call = {
  call_id: 4991,
  state: 'hangup',
  direction: 'inbound',
  event_timestamp: 1700000000000,
}

export const signers: readonly Signer[] = [
  jwt({
    source: 'dialpad',
    body: '',
    whole: true,
    key: 'secret',
    keyConfig: (secret) => ({ secret }),
    claims: () => call,
    covers: { body: true },
    type: 'hangup',
    id: '4991:hangup:1700000000000',
  }),
]
