import { expect, test } from '@jest/globals'
import { createHash, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { createPlatformVerifier, NOW, type TestRequest } from '../platform-verifier.fixture.ts'
import { canonicalQuery } from './atlassian-connect.verifier.ts'
import { preset } from './atlassian-connect.ts'

const BASE = 'https://hooks.example.com/inbound/abcdefgh'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { resultOf, answerToSigned } = createPlatformVerifier(preset, {
  'https://connect-install-keys.atlassian.com/k1': publicKey.export({
    type: 'spki',
    format: 'pem',
  }) as string,
})

async function token(
  claims: Record<string, unknown>,
  key: KeyObject,
  header: { alg: string; kid?: string },
) {
  const jwt = new SignJWT({ iat: NOW / 1000, exp: NOW / 1000 + 180, ...claims })
  return { Authorization: `JWT ${await jwt.setProtectedHeader(header).sign(key)}` }
}

async function asSite(claims: Record<string, unknown>, secret = 'shared') {
  return await token({ iss: 'site', ...claims }, createSecretKey(Buffer.from(secret)), {
    alg: 'HS256',
  })
}

function hash(line: string) {
  return createHash('sha256').update(line).digest('hex')
}
const site = { shared_secret: 'shared', client_key: 'site', base_url: BASE }

test('the query is written as in Atlassian’s documents', async () => {
  const shown = 'zee_last=param&repeated=parameter%201&first=param&repeated=parameter%202'
  expect(canonicalQuery(new URLSearchParams(shown))).toBe(
    'first=param&repeated=parameter%201,parameter%202&zee_last=param',
  )
  // "Query string hash" of Bitbucket's documents: GET&/test&param=value.
  const qsh = 'be16910858a41fd19ea5c1b4e9decca9a784d1024cb00b2158defe2f29dc86dd'
  const headers = await asSite({ qsh })
  const get: TestRequest = { method: 'GET', url: `${BASE}/test?param=value`, headers }
  expect(await resultOf(get, site)).toBe('verified')
  expect(await resultOf({ ...get, url: `${BASE}/test?param=other` }, site)).toBe('wrong_signature')
})

test('the token is bound to method and path, and to its site', async () => {
  const headers = await asSite({ qsh: hash('POST&/&') })
  expect(await resultOf({ headers }, site)).toBe('verified')
  expect(await resultOf({ headers, url: `${BASE}/other` }, site)).toBe('wrong_signature')
  expect(await resultOf({ headers }, { ...site, client_key: 'other' })).toBe('wrong_credentials')
  expect(await resultOf({ headers }, { ...site, shared_secret: 'other' })).toBe('wrong_signature')
  const whole = { headers: await asSite({ qsh: hash('POST&/inbound/abcdefgh&') }) }
  expect(await resultOf(whole, { ...site, base_url: 'https://hooks.example.com' })).toBe('verified')
  const page = { headers: await asSite({ qsh: 'context-qsh' }) }
  expect(await resultOf(page, site)).toBe('wrong_signature')
})

const installed = { eventType: 'installed', clientKey: 'site', sharedSecret: 'new' }
const asAtlassian = async (claims: Record<string, unknown> = {}) =>
  await token({ iss: 'site', aud: BASE, qsh: hash('POST&/&'), ...claims }, privateKey, {
    alg: 'RS256',
    kid: 'k1',
  })

test('the secret comes with the installation, which Atlassian itself has signed', async () => {
  const sent = { headers: await asAtlassian(), body: JSON.stringify(installed) }
  const fresh = { base_url: BASE }
  expect(await resultOf(sent, fresh)).toBe('verified')
  expect(answerToSigned(sent, fresh)).toMatchObject({
    status: 204,
    learned: { client_key: 'site', shared_secret: 'new' },
  })
  expect(answerToSigned(sent, site)?.learned).toEqual({ client_key: 'site', shared_secret: 'new' })
  expect(await resultOf(sent, {})).toBe('wrong_credentials')
})

test('no other site, and nobody but Atlassian, hands out a secret', async () => {
  const other = {
    headers: await asAtlassian({ iss: 'other' }),
    body: JSON.stringify({ ...installed, clientKey: 'other' }),
  }
  expect(await resultOf(other, site)).toBe('wrong_credentials')
  expect(answerToSigned(other, site)?.learned).toBeUndefined()
  const mixed = { headers: await asAtlassian(), body: other.body }
  expect(await resultOf(mixed, { base_url: BASE })).toBe('wrong_signature')
  const bySite = {
    headers: await asSite({ qsh: hash('POST&/&') }),
    body: JSON.stringify(installed),
  }
  expect(await resultOf(bySite, site)).toBe('verified')
  expect(answerToSigned(bySite, site)).toBeNull()
  const forOther = {
    headers: await asAtlassian({ aud: 'https://other.example' }),
    body: JSON.stringify(installed),
  }
  expect(await resultOf(forOther, { base_url: BASE })).toBe('wrong_credentials')
})
