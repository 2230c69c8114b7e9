import { expect, test } from '@jest/globals'
import { SOURCE_REF } from './platform-verifier.fixture.ts'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createPlatformVerifier, NOW, presetOf, requestOf } from './platform-verifier.fixture.ts'
import { createVerifier } from './verifier.ts'

const T = NOW / 1000
const config = { secret: 's' }

function hex(text: string, secret = 's', algorithm = 'sha256'): string {
  return createHmac(algorithm, secret).update(text).digest('hex')
}

test.each([
  [
    'orb',
    { 'X-Orb-Timestamp': '2023-11-14T22:13:20', 'X-Orb-Signature': 'v1=00 v1=$' },
    'v1:2023-11-14T22:13:20:{}',
  ],
  ['persona', { 'Persona-Signature': `t=1,v1=00 t=${T},v1=$` }, `${T}.{}`],
  ['pagerduty', { 'X-PagerDuty-Signature': 'v0=00,v1=00,v1=$' }, '{}'],
  ['mollie', { 'X-Mollie-Signature': 'sha256=00, sha256=$' }, '{}'],
  ['synctera', { 'Request-Timestamp': `${T}`, 'Synctera-Signature': '00.$' }, `${T}.{}`],
  ['recurly', { 'recurly-signature': `${NOW},00,$` }, `${NOW}.{}`],
])('%s: one of several signatures is enough', async (source, headers, signed) => {
  const { resultOf } = createPlatformVerifier(await presetOf(source))
  const put = (signature: string) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('$', signature)]),
    )
  expect(await resultOf({ headers: put(hex(signed)), body: '{}' }, config)).toBe('verified')
  expect(await resultOf({ headers: put(hex(signed, 'x')), body: '{}' }, config)).toBe(
    'wrong_signature',
  )
})

test('Mollie’s header may come twice', async () => {
  const verifier = createVerifier({
    fetchText: (url) => Promise.reject(new Error(`nothing is published at ${url.href}`)),
    now: () => NOW,
  })
  const request = requestOf({ body: '{}' })
  request.headers.set('x-mollie-signature', [`sha256=${hex('{}', 'old')}`, `sha256=${hex('{}')}`])
  expect(
    await verifier.verify(await presetOf('mollie'), request, config, SOURCE_REF),
  ).toMatchObject({
    outcome: 'verified',
  })
})

test('Supabase joins its signatures with a comma and a space', async () => {
  const { resultOf } = createPlatformVerifier(await presetOf('supabase-auth-hook'))
  const key = Buffer.from('key').toString('base64')
  const right = createHmac('sha256', 'key').update(`m.${T}.{}`).digest('base64')
  const headers = (signature: string) => ({
    'webhook-id': 'm',
    'webhook-timestamp': `${T}`,
    'webhook-signature': signature,
  })
  const secret = { secret: `v1,whsec_${key}` }
  for (const one of [`v1,${right}`, `v1,AAAA, v1,${right}`, `v1,${right}, v1,AAAA`]) {
    expect(await resultOf({ headers: headers(one), body: '{}' }, secret)).toBe('verified')
  }
})

test.each([
  ['websub', 'X-Hub-Signature', 'sha384=', 'sha384', {}],
  ['sumsub', 'X-Payload-Digest', '', 'sha512', { algorithm: 'sha512' }],
])(
  '%s is signed with the algorithm that is named',
  async (source, header, prefix, algorithm, more) => {
    const { resultOf } = createPlatformVerifier(await presetOf(source))
    const sent = { headers: { [header]: prefix + hex('{}', 's', algorithm) }, body: '{}' }
    expect(await resultOf(sent, { ...config, ...more })).toBe('verified')
    expect(await resultOf({ ...sent, body: '{ }' }, { ...config, ...more })).toBe('wrong_signature')
  },
)

test('Sumsub’s weaker hash is refused unless it was chosen', async () => {
  const { resultOf } = createPlatformVerifier(await presetOf('sumsub'))
  const sent = { headers: { 'X-Payload-Digest': hex('{}', 's', 'sha1') }, body: '{}' }
  expect(await resultOf(sent, config)).toBe('wrong_signature')
  expect(await resultOf(sent, { ...config, algorithm: 'sha1' })).toBe('verified')
})

test('Travis’s key is the published one, or the configured one of an own installation', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const { resultOf } = createPlatformVerifier(await presetOf('travis-ci'), {
    'https://api.travis-ci.com/config': JSON.stringify({
      config: { notifications: { webhook: { public_key } } },
    }),
  })
  const payload = '{"state":"passed"}'
  const sent = {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      Signature: sign('sha1', Buffer.from(payload), privateKey).toString('base64'),
    },
    body: new URLSearchParams({ payload }).toString(),
  }
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const others = { public_key: other.export({ type: 'spki', format: 'pem' }).toString() }
  expect(await resultOf(sent, {})).toBe('verified')
  expect(await resultOf({ ...sent, body: 'payload=%7B%7D' }, {})).toBe('wrong_signature')
  expect(await resultOf(sent, others)).toBe('wrong_signature')
  expect(
    await createPlatformVerifier(await presetOf('travis-ci')).resultOf(sent, { public_key }),
  ).toBe('verified')
})

test('Standard Webhooks: a sender may sign with a key pair in place of a secret', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  const { resultOf } = createPlatformVerifier(await presetOf('standard-webhooks'))
  const signature = sign(null, Buffer.from(`m.${T}.{}`), privateKey).toString('base64')
  const headers = {
    'webhook-id': 'm',
    'webhook-timestamp': `${T}`,
    'webhook-signature': `v1,AAAA v1a,${signature}`,
  }
  const keys = { public_key: `whpk_${raw}` }
  expect(await resultOf({ headers, body: '{}' }, keys)).toBe('verified')
  expect(await resultOf({ headers, body: '{ }' }, keys)).toBe('wrong_signature')
})
