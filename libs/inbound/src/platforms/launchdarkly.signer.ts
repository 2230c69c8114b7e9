/** An independent signer of LaunchDarkly, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'launchdarkly',
    header: 'X-LD-Signature',
    body: {
      _id: '62c1',
      date: 1700000000000,
      kind: 'flag',
      titleVerb: 'turned on the flag',
      accesses: [{ action: 'updateOn', resource: 'proj/p:env/e:flag/f' }],
    },
    type: 'updateOn',
    id: '62c1',
  }),
]
