/** An independent signer of Mux, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'mux',
    header: 'Mux-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: { type: 'video.asset.ready', id: '3a56ac3d-33da-4366-855b-f592d898409d', data: {} },
    type: 'video.asset.ready',
    id: '3a56ac3d-33da-4366-855b-f592d898409d',
  }),
]
