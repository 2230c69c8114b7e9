/** An independent signer of npm registry hooks, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'npm',
    header: 'x-npm-signature',
    show: (s) => `sha256=${s}`,
    body: { event: 'package:publish', name: 'p', type: 'package', time: 1700000000000 },
    type: 'package:publish',
  }),
]
