import { expect, test } from '@jest/globals'
import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { createPlatformVerifier, NOW } from '../platform-verifier.fixture.ts'
import { preset } from './vonage.ts'

const { resultOf } = createPlatformVerifier(preset)

async function sent(claims: Record<string, unknown>, body = '{}') {
  const payload_hash = createHash('sha256').update('{}').digest('hex')
  const token = new SignJWT({ iss: 'Vonage', iat: NOW / 1000, payload_hash, ...claims })
  const signed = await token.setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('s'))
  return { headers: { authorization: `Bearer ${signed}` }, body }
}

test('the account is verified when it is configured', async () => {
  const config = { secret: 's', api_key: 'a' }
  expect(await resultOf(await sent({ api_key: 'a' }), config)).toBe('verified')
  expect(await resultOf(await sent({ api_key: 'b' }), config)).toBe('wrong_signature')
  expect(await resultOf(await sent({}), config)).toBe('wrong_signature')
  expect(await resultOf(await sent({ api_key: 'b' }), { secret: 's' })).toBe('verified')
})

test('the body’s hash may be missing only when the body is empty', async () => {
  const config = { secret: 's' }
  const unbound = await sent({ payload_hash: undefined })
  expect(await resultOf(unbound, config)).toBe('wrong_signature')
  expect(await resultOf({ ...unbound, body: '' }, config)).toBe('verified')
  expect(await resultOf(await sent({}, '{ }'), config)).toBe('wrong_signature')
})
