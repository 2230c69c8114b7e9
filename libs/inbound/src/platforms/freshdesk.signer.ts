/** An independent signer of Freshdesk, written from its documents. */
import { namedHeader, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  namedHeader({ source: 'freshdesk', body: { freshdesk_webhook: { ticket_id: 7 } } }),
]
