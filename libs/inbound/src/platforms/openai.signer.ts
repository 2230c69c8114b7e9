/** An independent signer of OpenAI, written from its documents. */
import { type Signer, standard } from '../signers/signer.fixture.ts'

const openaiBody = {
  object: 'event',
  id: 'evt_685343a1381c819085d44c354e1b330e',
  type: 'response.completed',
  created_at: 1700000000,
  data: { id: 'resp_1' },
}

export const signers: readonly Signer[] = [
  standard({ source: 'openai', body: openaiBody, type: 'response.completed' }),
  standard({
    source: 'openai',
    variant: 'with a secret of letters',
    key: 'utf8',
    body: openaiBody,
    type: 'response.completed',
  }),
]
