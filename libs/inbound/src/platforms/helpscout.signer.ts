/** An independent signer of Help Scout, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'helpscout',
    header: 'X-HelpScout-Signature',
    digest: ['sha1', 'base64'],
    headers: { 'X-HelpScout-Event': 'convo.created' },
    body: { id: 1, number: 2 },
    type: 'convo.created',
  }),
]
