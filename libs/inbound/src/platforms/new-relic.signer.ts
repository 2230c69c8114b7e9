/** An independent signer of New Relic, written from its documents. */
import { basic, namedHeader, type Signer } from '../signers/signer.fixture.ts'

const newRelic = {
  id: 'd1b1f3fd',
  issueUrl: 'https://x',
  state: 'ACTIVATED',
  trigger: 'STATE_CHANGE',
}

export const signers: readonly Signer[] = [
  namedHeader({ source: 'new-relic', body: newRelic, type: 'STATE_CHANGE' }),
  basic({ source: 'new-relic', variant: 'by password', body: newRelic, type: 'STATE_CHANGE' }),
]
