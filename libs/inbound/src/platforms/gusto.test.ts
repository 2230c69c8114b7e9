import { expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { createPlatformVerifier } from '../platform-verifier.fixture.ts'
import { preset } from './gusto.ts'

const { answerTo, resultOf } = createPlatformVerifier(preset)
const question = { body: '{"verification_token":"t0ken"}' }

test('the token is stored once, where its owner can read it, and signs from then on', async () => {
  const learned = { verification_token: 't0ken' }
  expect(answerTo(question, {})).toEqual({ status: 200, headers: {}, body: '', learned })
  expect(answerTo(question, learned)).toBeNull()
  expect(answerTo(question, { secret: 'known' })).toBeNull()
  const signature = createHmac('sha256', 't0ken').update('{}').digest('hex')
  const event = { headers: { 'X-Gusto-Signature': signature }, body: '{}' }
  expect(await resultOf(event, learned)).toBe('verified')
  expect(await resultOf(event, { secret: 't0ken' })).toBe('verified')
  expect(await resultOf(event, { secret: 'other' })).toBe('wrong_signature')
  expect(await resultOf(event, {})).toBe('wrong_signature')
})
