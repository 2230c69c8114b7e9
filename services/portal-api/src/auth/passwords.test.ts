import { argon2Sync, randomBytes } from 'node:crypto'
import { hashSync } from '@node-rs/argon2'
import { afterAll, expect, test } from '@jest/globals'
import {
  createPasswords,
  type PasswordLimits,
  passwordLimits,
  type Passwords,
} from './passwords.ts'

const opened: Passwords[] = []
function open(limits?: PasswordLimits): Passwords {
  const made = createPasswords(limits)
  opened.push(made)
  return made
}
afterAll(async () => void (await Promise.all(opened.map((made) => made.close()))))

const passwords = open()

test('a hash matches its password in each form of writing, and no other', async () => {
  const stored = await passwords.hash('Ame\u0301lie rides on')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify(stored, 'Am\u00e9lie rides on')).toEqual({
    matches: true,
    isOutdated: false,
  })
  expect((await passwords.verify(stored, 'Amelie rides on')).matches).toBe(false)
  expect(await passwords.hash('Am\u00e9lie rides on')).not.toBe(stored)
})

test('the hash that the first start makes matches and is up to date', async () => {
  const [memory, passes, parallelism, tagLength] = [19_456, 2, 1, 32]
  const nonce = randomBytes(16)
  const parameters = {
    message: 'password of the first',
    nonce,
    parallelism,
    tagLength,
    memory,
    passes,
  }
  const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  const digest = encode(argon2Sync('argon2id', parameters))
  const stored = `$argon2id$v=19$m=${memory},t=${passes},p=1$${encode(nonce)}$${digest}`
  expect(await passwords.verify(stored, 'password of the first')).toEqual({
    matches: true,
    isOutdated: false,
  })
})

test('a hash of other parameters matches and is outdated', async () => {
  for (const other of [
    { memoryCost: 1_024 },
    { timeCost: 1 },
    { algorithm: 1 },
    { outputLen: 16 },
  ]) {
    const stored = hashSync('correct horse', { memoryCost: 19_456, timeCost: 2, ...other })
    expect(await passwords.verify(stored, 'correct horse')).toEqual({
      matches: true,
      isOutdated: true,
    })
    expect(await passwords.verify(stored, 'wrong horse')).toEqual({
      matches: false,
      isOutdated: false,
    })
  }
})

test('nobody’s password, and what is no hash, match nothing', async () => {
  for (const stored of [
    null,
    '',
    'x',
    '$argon2id$v=19$m=19456,t=2,p=1$$',
    '$2b$10$abc',
    '\u0000',
  ]) {
    expect(await passwords.verify(stored, 'correct horse')).toEqual({
      matches: false,
      isOutdated: false,
    })
  }
})

test('row 3: a few hash at once, a bounded number waits, and the rest is told to come again', async () => {
  const few = open({ atOnce: 2, maxWaiting: 5 })
  const many = Array.from({ length: 12 }, () => few.verify(null, 'correct horse'))
  expect(few.waiting()).toBe(5)
  const ended = await Promise.allSettled(many)
  expect(ended.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 7 }, () => 'fulfilled'),
    ...Array.from({ length: 5 }, () => 'rejected'),
  ])
  await expect(many[11]).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 })
  expect(few.waiting()).toBe(0)
  expect((await few.verify(null, 'x')).matches).toBe(false)
})

test('a thread that died is replaced, and its place is free again', async () => {
  const one = open({ atOnce: 1, maxWaiting: 1 })
  const broken = { normalize: () => 5 } as unknown as string
  await expect(one.hash(broken)).rejects.toThrow()
  expect(await one.hash('correct horse')).toMatch(/^\$argon2id/)
})

test('the number at once leaves a processor to the rest', () => {
  expect([1, 2, 3, 4, 64].map((processors) => passwordLimits(processors).atOnce)).toEqual([
    1, 1, 2, 3, 3,
  ])
})
