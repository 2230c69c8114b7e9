/** An independent signer of Shippo, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'shippo',
    header: 'Shippo-Auth-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: { event: 'track_updated', test: false, data: {} },
    type: 'track_updated',
  }),
]
