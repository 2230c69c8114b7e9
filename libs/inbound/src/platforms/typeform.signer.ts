/** An independent signer of Typeform, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'typeform',
    header: 'Typeform-Signature',
    digest: ['sha256', 'base64'],
    show: (sig) => `sha256=${sig}`,
    body: {
      event_id: 'LtWXD3crgy',
      event_type: 'form_response',
      form_response: { form_id: 'lT4Z3j' },
    },
    type: 'form_response',
    id: 'LtWXD3crgy',
  }),
]
