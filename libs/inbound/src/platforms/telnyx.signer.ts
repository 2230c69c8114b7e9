/** An independent signer of Telnyx, written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import { rawKey } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  asymmetric({
    source: 'telnyx',
    kind: 'ed25519',
    hash: null,
    shown: (name) => rawKey(name).toString('base64'),
    header: 'telnyx-signature-ed25519',
    signed: (body, at) => `${at}|${body}`,
    time: { unit: 's', header: 'telnyx-timestamp', tolerance: 300 },
    body: {
      data: { event_type: 'message.finalized', id: '0ccc7b54', record_type: 'event', payload: {} },
    },
    type: 'message.finalized',
    id: '0ccc7b54',
  }),
]
