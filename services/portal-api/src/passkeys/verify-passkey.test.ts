import { describe, expect, test } from '@jest/globals'
import { cborBytes, cborText, type Ceremony, createSoftPasskey } from './authenticator.fixture.ts'
import {
  challengeOf,
  type NewPasskey,
  relyingPartyOf,
  verifyAssertion,
  verifyAttestation,
} from './verify-passkey.ts'

const party = relyingPartyOf('https://hooks.example.com/base', 'Posthorn')
const challenge = 'q'.repeat(43)
const right: Ceremony = { challenge, origin: 'https://hooks.example.com', rpId: party.id }

test('the relying party is the host of the public URL', () => {
  const origin = 'https://hooks.example.com'
  expect(party).toEqual({ id: 'hooks.example.com', origin, name: 'Posthorn' })
  expect(relyingPartyOf('http://localhost:8080', 'P')).toMatchObject({
    id: 'localhost',
    origin: 'http://localhost:8080',
  })
})

test('the challenge of a response, and of what is none', () => {
  const { response } = createSoftPasskey().attest(right)
  expect(challengeOf(response)).toBe(challenge)
  for (const text of ['null', '"a"', '{"challenge":1}', '{', '[]', '\0']) {
    const clientDataJSON = Buffer.from(text).toString('base64url')
    expect(challengeOf({ clientDataJSON })).toBeNull()
  }
})

/** Each is wrong in one way. */
const WRONG: [string, Partial<Ceremony>][] = [
  ['another challenge', { challenge: 'r'.repeat(43) }],
  ['another origin', { origin: 'https://evil.example' }],
  ['http instead of https', { origin: 'http://hooks.example.com' }],
  ['a subdomain', { origin: 'https://a.hooks.example.com' }],
  ['another relying party', { rpId: 'example.com' }],
  ['no user verification', { userVerified: false }],
]

describe('registration', () => {
  test('a new passkey is taken', async () => {
    const passkey = createSoftPasskey()
    const taken = await verifyAttestation(party, challenge, passkey.attest(right))
    expect(taken).toMatchObject({ credentialId: passkey.id, counter: 1 })
  })

  test.each([...WRONG, ['the type of a sign-in', { type: 'webauthn.get' }] as const])(
    'refused: %s',
    async (_, change) => {
      const response = createSoftPasskey().attest({ ...right, ...change })
      expect(await verifyAttestation(party, challenge, response)).toBeNull()
    },
  )

  test('certificates are refused unread', async () => {
    const statement = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('alg'),
      Buffer.from([0x26]),
      cborText('sig'),
      cborBytes(Buffer.alloc(70)),
      cborText('x5c'),
      Buffer.from([0x81]),
      cborBytes(Buffer.alloc(300)),
    ])
    for (const format of ['packed', 'android-key', 'tpm', 'apple', 'fido-u2f']) {
      const response = createSoftPasskey().attest({ ...right, attestation: { format, statement } })
      expect(await verifyAttestation(party, challenge, response)).toBeNull()
    }
  })

  test('noise is refused', async () => {
    const response = createSoftPasskey().attest(right)
    for (const attestationObject of ['oA', 'AAAA', '_'.repeat(8_000), 'gYGBgYGB'.repeat(900)]) {
      const noise = { ...response, response: { ...response.response, attestationObject } }
      expect(await verifyAttestation(party, challenge, noise)).toBeNull()
    }
  })
})

describe('sign-in', () => {
  async function registered() {
    const soft = createSoftPasskey()
    const stored = (await verifyAttestation(party, challenge, soft.attest(right))) as NewPasskey
    return { soft, stored }
  }
  const strict = { requireUserVerification: true }

  test('a signature is taken, with its counter', async () => {
    const { soft, stored } = await registered()
    expect(await verifyAssertion(party, challenge, soft.assert(right), stored, strict)).toBe(2)
  })

  test('an authenticator that does not count is taken', async () => {
    const soft = createSoftPasskey()
    const still = { ...right, counter: 0 }
    const stored = (await verifyAttestation(party, challenge, soft.attest(still))) as NewPasskey
    expect(await verifyAssertion(party, challenge, soft.assert(still), stored, strict)).toBe(0)
  })

  test.each([
    ...WRONG,
    ['the type of a registration', { type: 'webauthn.create' }] as const,
    ['a counter that stands still', { counter: 1 }] as const,
  ])('refused: %s', async (_, change) => {
    const { soft, stored } = await registered()
    const response = soft.assert({ ...right, ...change })
    expect(await verifyAssertion(party, challenge, response, stored, strict)).toBeNull()
  })

  test('as a second factor a touch is enough', async () => {
    const { soft, stored } = await registered()
    const response = soft.assert({ ...right, userVerified: false })
    const touch = { requireUserVerification: false }
    expect(await verifyAssertion(party, challenge, response, stored, touch)).toBe(2)
  })

  test("another's signature is refused", async () => {
    const { stored } = await registered()
    const response = { ...createSoftPasskey().assert(right), id: stored.credentialId }
    expect(await verifyAssertion(party, challenge, response, stored, strict)).toBeNull()
  })

  test('a changed byte is refused', async () => {
    const { soft, stored } = await registered()
    const response = soft.assert(right)
    const data = Buffer.from(response.response.authenticatorData, 'base64url')
    data.writeUInt32BE(99, 33)
    response.response.authenticatorData = data.toString('base64url')
    expect(await verifyAssertion(party, challenge, response, stored, strict)).toBeNull()
  })
})
