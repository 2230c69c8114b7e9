import { expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { createPlatformVerifier } from '../platform-verifier.fixture.ts'
import { preset } from './adyen.ts'

const { resultOf } = createPlatformVerifier(preset)
const SECRET = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

function item(fields: Record<string, unknown>, signed: string) {
  const key = Buffer.from(SECRET, 'hex')
  const hmacSignature = createHmac('sha256', key).update(signed).digest('base64')
  return { NotificationRequestItem: { ...fields, additionalData: { hmacSignature } } }
}
const right = item(
  { pspReference: 'p', amount: { value: 1130, currency: 'EUR' }, eventCode: 'A', success: 'true' },
  'p::::1130:EUR:A:true',
)

function batch(...notificationItems: unknown[]) {
  return { body: JSON.stringify({ notificationItems }) }
}

test('every item of a batch must have its signature', async () => {
  const wrong = item({ pspReference: 'q' }, 'p:::::::')
  const bare = { NotificationRequestItem: { pspReference: 'p' } }
  expect(await resultOf(batch(right), { secret: SECRET })).toBe('verified')
  expect(await resultOf(batch(right, right), { secret: ['00', SECRET] })).toBe('verified')
  expect(await resultOf(batch(right, wrong), { secret: SECRET })).toBe('wrong_signature')
  expect(await resultOf(batch(right, bare), { secret: SECRET })).toBe('no_signature')
  expect(await resultOf(batch(), { secret: SECRET })).toBe('no_signature')
  expect(await resultOf({ body: '[null]' }, { secret: SECRET })).toBe('no_signature')
})

test('a signed field that is no plain value is refused, whatever it would be as a text', async () => {
  const list = item({ pspReference: ['p'] }, 'p:::::::')
  expect(await resultOf(batch(list), { secret: SECRET })).toBe('malformed_signature')
})

test('a user name and a password are demanded as well once they are set', async () => {
  const credentials = { secret: SECRET, username: 'u', password: 'p' }
  const authorization = `Basic ${Buffer.from('u:p').toString('base64')}`
  expect(await resultOf(batch(right), credentials)).toBe('no_signature')
  expect(await resultOf({ ...batch(right), headers: { authorization } }, credentials)).toBe(
    'verified',
  )
})
