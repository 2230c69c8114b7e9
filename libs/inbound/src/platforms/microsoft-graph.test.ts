import { expect, test } from '@jest/globals'
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { createPlatformVerifier, NOW } from '../platform-verifier.fixture.ts'
import { preset } from './microsoft-graph.ts'

const PUBLISHER = '0bf30f3b-4a52-48df-9a82-234910c4a086'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { resultOf, answerTo } = createPlatformVerifier(preset, {
  'https://login.microsoftonline.com/common/discovery/v2.0/keys': JSON.stringify({
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }],
  }),
})
const basic = { secret: 'state' }
const rich = { ...basic, client_id: 'app', tenant_id: 'tenant' }

function sent(value: unknown, validationTokens?: unknown) {
  return { body: JSON.stringify({ value, validationTokens }) }
}

function token(claims: Record<string, string>, audience = 'app') {
  return new SignJWT({ exp: NOW / 1000 + 60, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setAudience(audience)
    .sign(privateKey)
}

test('every notification must repeat the state', async () => {
  expect(await resultOf(sent([{ clientState: 'state' }]), basic)).toBe('verified')
  expect(await resultOf(sent([{ clientState: 'state' }, { clientState: 'other' }]), basic)).toBe(
    'wrong_credentials',
  )
  expect(await resultOf(sent([{ clientState: 'state' }, {}]), basic)).toBe('no_signature')
  expect(await resultOf(sent([{ clientState: 'state' }, null]), basic)).toBe('no_signature')
  expect(await resultOf(sent([]), basic)).toBe('no_signature')
  expect(await resultOf({ body: 'no JSON' }, basic)).toBe('no_signature')
})

test('with the app’s id, what is encrypted needs tokens of Microsoft’s, of both versions', async () => {
  const value = [{ clientState: 'state', encryptedContent: {} }]
  const v1 = await token({ iss: 'https://sts.windows.net/tenant/', appid: PUBLISHER })
  const v2 = await token({
    iss: 'https://login.microsoftonline.com/tenant/v2.0',
    azp: PUBLISHER,
  })
  expect(await resultOf(sent(value, [v1, v2]), rich)).toBe('verified')
  expect(await resultOf(sent(value), rich)).toBe('no_signature')
  expect(await resultOf(sent([{ clientState: 'state' }]), rich)).toBe('verified')
  const wrong = [
    await token({ iss: 'https://sts.windows.net/other/', appid: PUBLISHER }),
    await token({ iss: 'https://sts.windows.net/tenant/', appid: 'somebody' }),
    await token({ iss: 'https://sts.windows.net/tenant/', appid: PUBLISHER }, 'another app'),
    'no token',
    7,
  ]
  for (const one of wrong) {
    expect(await resultOf(sent(value, [v1, one]), rich)).not.toBe('verified')
  }
  expect(
    await resultOf(
      sent(
        value,
        Array.from({ length: 21 }, () => v1),
      ),
      rich,
    ),
  ).toBe('no_signature')
})

test('the handshake of a subscription is answered with its token, decoded', () => {
  const answer = answerTo({ url: '?validationToken=a%3Cb%20c' }, basic)
  expect(answer).toMatchObject({ status: 200, body: 'a<b c' })
  expect(answer?.headers['content-type']).toMatch(/^text\/plain/)
})
