/** An independent signer of Telegram, written from its documents. */
import { type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'telegram',
    header: 'X-Telegram-Bot-Api-Secret-Token',
    body: { update_id: 10000, message: { message_id: 1365, text: '/start' } },
    type: 'message',
    id: '10000',
  }),
]
