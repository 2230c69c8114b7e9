/** An independent signer of SendGrid (Event Webhook), written from its documents. */
import { asymmetric } from '../signers/asymmetric.fixture.ts'
import { spki } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

const sendgrid = [
  {
    email: 'hello@world.com',
    event: 'dropped',
    sg_event_id: 'ZHJvcC0xMDk5',
    sg_message_id: 'LRzXl',
    timestamp: 1700000000,
  },
]

export const signers: readonly Signer[] = [
  asymmetric({
    source: 'sendgrid',
    kind: 'ec',
    hash: 'sha256',
    shown: spki,
    header: 'X-Twilio-Email-Event-Webhook-Signature',
    signed: (body, t) => `${t}${body}`,
    time: { unit: 's', header: 'X-Twilio-Email-Event-Webhook-Timestamp', tolerance: 300 },
    body: `${JSON.stringify(sendgrid)}\r\n`,
    type: 'dropped',
    id: 'ZHJvcC0xMDk5',
  }),
]
