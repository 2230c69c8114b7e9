import { expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { createSeal } from './seal.ts'

const [first, second] = [
  randomBytes(32).toString('base64'),
  randomBytes(32).toString('base64'),
] as const

test.each(['', 'a secret', 'é\u{1f600}\0', 'x'.repeat(10_000)])(
  'what is sealed can be opened, and not be read',
  (secret) => {
    const seal = createSeal([first])
    const sealed = seal.seal(secret)
    expect(seal.open(sealed)).toBe(secret)
    expect(sealed).toMatch(/^s1:[0-9a-f]{8}:[A-Za-z0-9+/]+=*$/)
    if (secret !== '') expect(sealed).not.toContain(secret)
    expect(seal.seal(secret)).not.toBe(sealed)
  },
)

test('after a rotation the new key seals and the old one still opens what it sealed', () => {
  const before = createSeal([first])
  const after = createSeal([second, first])
  const old = before.seal('old')
  expect(after.open(old)).toBe('old')
  const sealed = after.seal('new')
  expect(createSeal([second]).open(sealed)).toBe('new')
  expect(() => before.open(sealed)).toThrow('sealed under a master key that is not given')
  expect(() => createSeal([second]).open(old)).toThrow('not given')
})

test('changed anywhere, cut short or made up, it does not open', () => {
  const seal = createSeal([first])
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
  for (const text of ['', 'plain', `s2:${id}:${data}`, `s1:${id}`, `s1:00000000:${data}`]) {
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
