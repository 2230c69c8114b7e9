import { expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { createSeal, type Seal, sealedAt } from './seal.ts'

const [first, second] = [
  randomBytes(32).toString('base64'),
  randomBytes(32).toString('base64'),
] as const
/** Where nothing else is said. */
const PLACE = sealedAt('endpoints.signing_secret', 'tenant', 'row')

/** In one place. */
function createFixedSeal(keys: readonly string[]): {
  seal(text: string): string
  open(text: string): string
} {
  const { seal, open } = createSeal(keys)
  return { seal: (text) => seal(text, PLACE), open: (text) => open(text, PLACE) }
}

test.each(['', 'a secret', 'é\u{1f600}\0', 'x'.repeat(10_000)])(
  'what is sealed can be opened, and not be read',
  (secret) => {
    const seal = createFixedSeal([first])
    const sealed = seal.seal(secret)
    expect(seal.open(sealed)).toBe(secret)
    expect(sealed).toMatch(/^s2:[0-9a-f]{8}:[A-Za-z0-9+/]+=*$/)
    if (secret !== '') expect(sealed).not.toContain(secret)
    expect(seal.seal(secret)).not.toBe(sealed)
  },
)

test('after a rotation the new key seals and the old one still opens what it sealed', () => {
  const before = createFixedSeal([first])
  const after = createFixedSeal([second, first])
  const old = before.seal('old')
  expect(after.open(old)).toBe('old')
  const sealed = after.seal('new')
  expect(createFixedSeal([second]).open(sealed)).toBe('new')
  expect(() => before.open(sealed)).toThrow('sealed under a master key that is not given')
  expect(() => createFixedSeal([second]).open(old)).toThrow('not given')
})

test('changed anywhere, cut short or made up, it does not open', () => {
  const seal = createFixedSeal([first])
  const sealed = seal.seal('a secret')
  const [version, id, data = ''] = sealed.split(':')
  const bytes = Buffer.from(data, 'base64')
  const again = (changed: Buffer): string => `${version}:${id}:${changed.toString('base64')}`
  expect(seal.open(again(bytes))).toBe('a secret')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    expect(() => seal.open(again(changed))).toThrow()
  }
  for (let length = 0; length < bytes.length; length += 1) {
    expect(() => seal.open(again(bytes.subarray(0, length)))).toThrow()
  }
  for (const text of [
    '',
    'plain',
    `s3:${id}:${data}`,
    `s1:${id}:${data}`,
    `s2:${id}`,
    `s2:00000000:${data}`,
  ]) {
    expect(() => seal.open(text)).toThrow()
  }
})

test.each([
  [[], 'MASTER_KEY is missing'],
  [[''], '32 bytes'],
  [[randomBytes(31).toString('base64')], '32 bytes'],
  [[first, 'x'], '32 bytes'],
])('keys that are no keys are refused: %j', (keys, message) => {
  expect(() => createSeal(keys)).toThrow(message)
})

test('it opens in its own place alone: not in another row, column or tenant', () => {
  const seal = createSeal([first])
  const part = fc.constantFrom('a', 'b', 'a/b', '')
  const column = fc.constantFrom(
    'tenants.signing_secret',
    'endpoints.signing_secret',
    'endpoints.mtls_key',
  )
  const place = fc.record({ tenantId: part, column, rowId: part }) as fc.Arbitrary<
    Parameters<Seal['seal']>[1]
  >
  fc.assert(
    fc.property(place, place, (one, other) => {
      const sealed = seal.seal('a secret', one)
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      if (isSame) expect(seal.open(sealed, other)).toBe('a secret')
      else expect(() => seal.open(sealed, other)).toThrow()
    }),
  )
})

test('a renewed text is the same secret in the same place, under the first key', () => {
  const [before, after] = [createSeal([first]), createSeal([second, first])]
  const old = before.seal('a secret', PLACE)
  expect(before.renew(old, PLACE)).toBe(old)
  const renewed = after.renew(old, PLACE)
  expect(createSeal([second]).open(renewed, PLACE)).toBe('a secret')
  // What can't be opened is left alone.
  expect(createSeal([second]).renew(old, PLACE)).toBe(old)
  const elsewhere = sealedAt('endpoints.mtls_key', 'tenant', 'row')
  expect(after.renew(old, elsewhere)).toBe(old)
})

test('derived keys are one for each master key and purpose, and tell nothing of it', () => {
  const keys = createSeal([first, second]).deriveKeys('sessions')
  expect(keys.map((key) => key.length)).toEqual([32, 32])
  expect(createSeal([first]).deriveKeys('sessions')).toEqual(keys.slice(0, 1))
  expect(createSeal([second, first]).deriveKeys('sessions')).toEqual(keys.toReversed())
  expect(createSeal([first]).deriveKeys('others')[0]).not.toEqual(keys[0])
  expect(keys.map((key) => key.toString('base64'))).not.toContain(first)
})
