/** An independent signer of Alchemy, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'alchemy',
    header: 'X-Alchemy-Signature',
    secrets: ['whsec_dGhpcyBpcyB0ZXh0', 'whsec_b3RoZXI='],
    body: {
      webhookId: 'wh_octjglnywaupz6th',
      id: 'whevt_ogrc5v64myey69ux',
      createdAt: '2023-11-14T22:13:20Z',
      type: 'ADDRESS_ACTIVITY',
      event: {},
    },
    type: 'ADDRESS_ACTIVITY',
    id: 'whevt_ogrc5v64myey69ux',
  }),
]
