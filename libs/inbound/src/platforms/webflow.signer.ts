/** An independent signer of Webflow, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const webflow = {
  triggerType: 'form_submission',
  payload: { name: 'Contact', id: '6321ca84df3949bfc6752327' },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'webflow',
    header: 'x-webflow-signature',
    signed: (body, t) => `${t}:${body}`,
    time: { unit: 'ms', header: 'x-webflow-timestamp', tolerance: 300 },
    body: webflow,
    type: 'form_submission',
  }),
]
