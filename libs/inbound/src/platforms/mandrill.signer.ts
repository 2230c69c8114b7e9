/** An independent signer of Mailchimp Transactional (Mandrill), written from its documents. */
import { signedForm } from '../signers/forms.fixture.ts'
import { type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

const OWN = 'https://user:pass@public.example.com/in?a=1'

const mandrillBody = `mandrill_events=${encodeURIComponent(JSON.stringify([{ event: 'send', _id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa', ts: 1700000000, msg: {} }]))}`

export const signers: readonly Signer[] = [
  {
    ...signedForm({
      source: 'mandrill',
      header: 'X-Mandrill-Signature',
      body: mandrillBody,
      text: (fields) => `${SOURCE_URL}${fields}`,
      type: 'send',
      id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa:send:1700000000',
    }),
    handshakes: [
      {
        of: 'the URL',
        request: { method: 'HEAD', headers: {}, body: '' },
        answer: { status: 200 },
      },
    ],
  },
  signedForm({
    source: 'mandrill',
    variant: 'at a URL of its own',
    config: { webhook_url: OWN },
    pinned: { webhook_url: OWN },
    header: 'X-Mandrill-Signature',
    body: mandrillBody,
    text: (fields) => `${OWN}${fields}`,
    type: 'send',
    id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa:send:1700000000',
  }),
]
