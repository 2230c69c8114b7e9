import { expect, test } from '@jest/globals'
import { generateKeyPairSync, sign } from 'node:crypto'
import { createPlatformVerifier, NOW } from '../platform-verifier.fixture.ts'
import { preset as withinAnHour } from '../platforms/amazon-sns.ts'
import { preset as withoutALimit } from '../platforms/aws-sns.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEYS = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem'
const published = { [KEYS]: publicKey.export({ type: 'spki', format: 'pem' }) as string }
const TOPIC = 'arn:aws:sns:eu-west-1:1:topic'
const config = { topic_arn: TOPIC }
const { resultOf, answerToSigned } = createPlatformVerifier(withoutALimit, published)

function message(fields: Record<string, string>, order: readonly string[], version = '2') {
  const content = order
    .filter((key) => key in fields)
    .map((key) => `${key}\n${fields[key]}\n`)
    .join('')
  const hash = version === '2' ? 'sha256' : 'sha1'
  const Signature = sign(hash, Buffer.from(content), privateKey).toString('base64')
  return { SigningCertURL: KEYS, ...fields, SignatureVersion: version, Signature }
}
const notification = {
  Type: 'Notification',
  MessageId: 'm1',
  TopicArn: TOPIC,
  Message: 'hello',
  Timestamp: new Date(NOW - 7_200_000).toISOString(),
}
const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']

function body(value: unknown) {
  return { body: JSON.stringify(value) }
}

test('both versions are verified, with a subject and without', async () => {
  const withSubject = { ...notification, Subject: 's' }
  for (const version of ['1', '2']) {
    expect(await resultOf(body(message(notification, NOTIFICATION, version)), config)).toBe(
      'verified',
    )
    const signed = message(withSubject, NOTIFICATION, version)
    expect(await resultOf(body(signed), config)).toBe('verified')
    expect(await resultOf(body({ ...signed, Subject: 't' }), config)).toBe('wrong_signature')
  }
  const { resultOf: limited } = createPlatformVerifier(withinAnHour, published)
  expect(await limited(body(message(notification, NOTIFICATION)), config)).toBe('too_old')
})

test('a topic of somebody else is refused, though Amazon has signed it', async () => {
  const signed = message({ ...notification, TopicArn: `${TOPIC}2` }, NOTIFICATION)
  expect(await resultOf(body(signed), config)).toBe('wrong_credentials')
  expect(await resultOf(body(message(notification, NOTIFICATION)), {})).toBe('wrong_credentials')
})

test.each([
  'https://sns.eu-west-1.amazonaws.com.evil.example/a.pem',
  'https://evil.example/sns.eu-west-1.amazonaws.com/a.pem',
  'http://sns.eu-west-1.amazonaws.com/a.pem',
  'https://user@sns.eu-west-1.amazonaws.com/a.pem',
  'https://sns.eu-west-1.amazonaws.com:8443/a.pem',
  'https://sns.eu-west-1.amazonaws.com/a.txt',
  'nonsense',
])('no certificate is looked up at %s', async (SigningCertURL) => {
  const signed = message({ ...notification, SigningCertURL }, NOTIFICATION)
  expect(await resultOf(body(signed), config)).toBe('unknown_key')
})

test('without the certificate the sender is to try again', async () => {
  const { resultOf: offline } = createPlatformVerifier(withoutALimit)
  expect(await offline(body(message(notification, NOTIFICATION)), config)).toBe('unavailable')
})

test('a verified handshake is confirmed at Amazon and nowhere else', async () => {
  const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
  const question = {
    ...notification,
    Type: 'SubscriptionConfirmation',
    Token: 't',
    SubscribeURL,
  }
  const order = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const signed = message(question, order)
  expect(await resultOf(body(signed), config)).toBe('verified')
  expect(answerToSigned(body(signed), config)?.confirm?.href).toBe(SubscribeURL)
  const elsewhere = { ...signed, SubscribeURL: 'https://evil.example/' }
  expect(await resultOf(body(elsewhere), config)).toBe('wrong_signature')
  expect(answerToSigned(body(elsewhere), config)).toBeNull()
  expect(answerToSigned(body(message(notification, NOTIFICATION)), config)).toBeNull()
})
