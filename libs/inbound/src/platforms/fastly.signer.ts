/** An independent signer of Fastly Next-Gen WAF, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'fastly',
    header: 'X-SigSci-Signature',
    body: {
      created: '2023-11-14T22:13:20Z',
      type: 'siteDisplayNameChanged',
      payload: {},
      link: 'https://x',
    },
    type: 'siteDisplayNameChanged',
  }),
]
