/** An independent signer of Twilio, written from its documents. */
import { createHash } from 'node:crypto'
import { signedForm } from '../signers/forms.fixture.ts'
import { type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

const PUBLIC = 'https://public.example.com/in?a=1'

const call =
  'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=5678&Digits=1234&Digits=1234&CallStatus=completed&To=%2B18005551212'

const sms = { property: 'value', boolean: true }

const idempotency = { 'I-Twilio-Idempotency-Token': 'f8a2' }

export const signers: readonly Signer[] = [
  signedForm({
    source: 'twilio',
    url: `${SOURCE_URL}?foo=1&bar=2`,
    header: 'X-Twilio-Signature',
    headers: idempotency,
    body: call,
    text: (fields) => `${SOURCE_URL}?foo=1&bar=2${fields}`,
    type: 'completed',
    id: 'f8a2',
  }),
  signedForm({
    source: 'twilio',
    variant: 'of a message',
    header: 'X-Twilio-Signature',
    headers: idempotency,
    body: 'MessageSid=SM1&MessageStatus=delivered',
    text: (fields) => `${SOURCE_URL}${fields}`,
    type: 'delivered',
    id: 'f8a2',
  }),
  signedForm({
    source: 'twilio',
    variant: 'at a URL of its own',
    config: { webhook_url: PUBLIC },
    pinned: { webhook_url: PUBLIC },
    header: 'X-Twilio-Signature',
    headers: idempotency,
    body: 'MessageStatus=delivered',
    text: (fields) => `${PUBLIC}${fields}`,
    type: 'delivered',
    id: 'f8a2',
  }),
  twilioJson(),
]

/** The hash of a body that is no form stands in the URL. */
function twilioJson(): Signer {
  const body = JSON.stringify(sms)
  const url = `${SOURCE_URL}?foo=1&bodySHA256=${createHash('sha256').update(body).digest('hex')}`
  const base = signedForm({
    source: 'twilio',
    variant: 'of JSON',
    url,
    header: 'X-Twilio-Signature',
    body,
    text: () => url,
    id: 'f8a2',
  })
  return {
    ...base,
    sign(ask) {
      const sent = base.sign(ask)
      return {
        ...sent,
        headers: { ...sent.headers, ...idempotency, 'Content-Type': 'application/json' },
      }
    },
  }
}
