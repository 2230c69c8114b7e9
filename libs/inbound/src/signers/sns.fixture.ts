/** Amazon SNS: the signature is a field of the message, over some of the others. */
import { certificate, idOf, namesOf, signature } from './keys.fixture.ts'
import type { SigningInput, SignedRequest, Signer } from './signer.fixture.ts'

const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const CONFIRMATION = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
]
const TOPIC = 'arn:aws:sns:us-east-1:123456789012:orders'
const SUBSCRIBE = `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`

const notification = {
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC,
  Subject: 'My First Message',
  Message: 'Hello world!',
}
const confirmation = {
  Type: 'SubscriptionConfirmation',
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37',
  TopicArn: TOPIC,
  Message: 'You have chosen to subscribe to the topic.',
  SubscribeURL: SUBSCRIBE,
}

type Message = Readonly<Record<string, string>>

function canonical(message: Message): string {
  const keys = message.Type === 'Notification' ? NOTIFICATION : CONFIRMATION
  return keys
    .flatMap((key) => (message[key] === undefined ? [] : `${key}\n${message[key]}\n`))
    .join('')
}

function certificateAt(id: string): string {
  return `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${id}.pem`
}

function signedBy(
  message: Message,
  version: '1' | '2',
  { now, shown, secret, touch }: SigningInput,
): SignedRequest {
  const at = (time: number) => ({ ...message, Timestamp: new Date(time).toISOString() })
  const hash = version === '1' ? 'sha1' : 'sha256'
  const body = {
    ...at(shown),
    SignatureVersion: version,
    Signature: touch(signature(hash, canonical(at(now)), secret).toString('base64')),
    SigningCertURL: certificateAt(idOf(secret)),
  }
  return {
    headers: {
      'Content-Type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': message.Type as string,
      'x-amz-sns-message-id': message.MessageId as string,
      'x-amz-sns-topic-arn': TOPIC,
    },
    body: JSON.stringify(body),
  }
}

function signer(
  source: string,
  variant: string,
  message: Message,
  version: '1' | '2',
  tolerance: number | null,
): Signer {
  const names = namesOf('rsa')
  const published = names.map((name) => [
    certificateAt(idOf(name)),
    certificate(name, 'sns.amazonaws.com'),
  ])
  const confirms = message.Type !== 'Notification'
  return {
    source,
    variant,
    secrets: names,
    config: () => ({ topic_arn: TOPIC }),
    body: JSON.stringify(message),
    sign: (ask) => signedBy(message, version, ask),
    covers: { body: message.Message as string, timestamp: true },
    carriedIn: [],
    toleranceSeconds: tolerance,
    eventType: message.Type as string,
    deliveryId: message.MessageId as string,
    pinned: { topic_arn: TOPIC },
    published: Object.fromEntries(published) as Record<string, string>,
    ...(confirms
      ? {
          handshakes: [
            {
              of: 'the subscription',
              request: { headers: {}, body: '' },
              signed: true as const,
              answer: { status: 200, confirm: SUBSCRIBE },
            },
          ],
        }
      : {}),
  }
}

export function sns(source: string, tolerance: number | null): Signer[] {
  const { Subject: _, ...withoutSubject } = notification
  return [
    signer(source, 'version 1', notification, '1', tolerance),
    signer(source, 'version 2', notification, '2', tolerance),
    signer(source, 'without a subject', withoutSubject, '2', tolerance),
    signer(source, 'a confirmation', confirmation, '1', tolerance),
  ]
}
