/** An independent signer of Salesforce Account Engagement (Pardot), written from its documents. */
import { namedHeader, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  namedHeader({ source: 'salesforce-pardot', body: { prospect: { id: 1 } } }),
]
