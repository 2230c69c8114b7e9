import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { createKeyLookups, type LookupPriority } from './key-lookups.ts'

/**
 * A store that answers when it is told to. Keys are their own digests, and nobody has a key that
 * begins with `no`.
 */
function setUp() {
  const queries: { digests: readonly string[]; answer(): void; fail(error: Error): void }[] = []
  const found: string[] = []
  const lookups = createKeyLookups<string>({
    findKeys(digests) {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
      const keys = digests.filter((digest) => !digest.startsWith('no'))
      const answer = (): void => resolve(new Map(keys.map((key) => [key, key])))
      queries.push({ digests, answer, fail: reject })
      return promise
    },
    begin: () => (digest, key) => found.push(`${digest}=${key}`),
  })
  const ask = (digest: string, priority: LookupPriority = 'plausible', fresh = false) =>
    lookups.ask(digest, priority, fresh)
  /** Answers all queries, also those that follow from the answers. */
  async function answerAll(): Promise<void> {
    for (let n = 0; n < queries.length; n += 1) {
      queries[n]?.answer()
      // The answers of one query take eight turns.
      for (let turn = 0; turn < 10; turn += 1) await setImmediate()
    }
  }
  return { queries, found, lookups, ask, answerAll }
}

test('many keys at once are some queries, never more than two at a time', async () => {
  const { queries, ask, answerAll } = setUp()
  const asked = Array.from({ length: 1_000 }, (_, n) => ask(n % 2 === 0 ? `k${n}` : `no${n}`))
  expect(queries).toHaveLength(2)
  await answerAll()
  const answers = await Promise.all(asked)
  expect(answers[0]).toBe('k0')
  expect(answers[999]).toBeNull()
  expect(queries.length).toBeLessThan(8)
})

test.each([
  ['found', (query: { answer(): void }) => query.answer()],
  ['refused by the store', (query: { fail(error: Error): void }) => query.fail(new Error('away'))],
])('the keys of one query that are %s are answered over turns', async (_, end) => {
  const { queries, ask } = setUp()
  let answered = 0
  const count = (): void => void (answered += 1)
  for (let n = 0; n < 256; n += 1) void ask(`k${n}`).then(count, count)
  const [first, second] = queries
  // The first one asked begins a query alone, and the second another.
  for (const query of [first, second]) if (query !== undefined) end(query)
  for (let turn = 0; turn < 3; turn += 1) await setImmediate()
  expect(answered).toBe(2)
  const third = queries[2]
  if (third !== undefined) end(third)
  const inTurn: number[] = []
  for (let turn = 0; turn < 10; turn += 1) {
    const before = answered
    await setImmediate()
    inTurn.push(answered - before)
  }
  expect(answered).toBe(256)
  expect(Math.max(...inTurn)).toBeLessThanOrEqual(32)
})

test('one key that many ask for at once is asked for once', async () => {
  const { queries, ask, answerAll } = setUp()
  const asked = Array.from({ length: 100 }, () => ask('k'))
  await answerAll()
  expect(await Promise.all(asked)).toEqual(Array(100).fill('k'))
  expect(queries.map(({ digests }) => digests)).toEqual([['k']])
})

test('a fresh answer is never one that was under way', async () => {
  const { queries, ask, answerAll } = setUp()
  const asked = [ask('k'), ask('k', 'known', true), ask('k', 'known', true), ask('k')]
  await answerAll()
  await Promise.all(asked)
  expect(queries.map(({ digests }) => digests)).toEqual([['k'], ['k']])
})

describe('while made-up keys flood', () => {
  test('those that are known go first, and those of another form have their places', async () => {
    const { queries, ask, answerAll } = setUp()
    const flood = Array.from({ length: 2_000 }, (_, n) => ask(`no${n}`))
    const unusual = ask('x', 'unusual')
    const known = ask('k', 'known')
    queries[0]?.answer()
    await setImmediate()
    expect(queries[2]?.digests).toContain('k')
    expect(queries[2]?.digests).toContain('x')
    await answerAll()
    expect(await Promise.all([known, unusual])).toEqual(['k', 'x'])
    expect(await Promise.all(flood)).toEqual(Array(2_000).fill(null))
  })

  test('one that was never seen before is answered with them, and not refused', async () => {
    const { ask, answerAll } = setUp()
    const flood = Array.from({ length: 9_000 }, (_, n) => ask(`no${n}`))
    const mine = ask('mine')
    await answerAll()
    expect(await mine).toBe('mine')
    expect(await Promise.all(flood)).toEqual(Array(9_000).fill(null))
  })

  test('what waits is bounded, and those that are known are not refused for it', async () => {
    const { ask, answerAll } = setUp()
    const flood = Array.from({ length: 10_100 }, (_, n) => ask(`no${n}`))
    const known = ask('k', 'known')
    const ends = Promise.allSettled(flood)
    await answerAll()
    const refused = (await ends).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(98)
    expect(refused[0]).toMatchObject({ reason: { code: 'UNAVAILABLE', retryAfterSeconds: 1 } })
    expect(await known).toBe('k')
  })
})

test('a query that fails fails for its own keys; the next is sent', async () => {
  const { queries, found, ask, answerAll } = setUp()
  const first = ask('a')
  queries[0]?.fail(new Error('down'))
  await expect(first).rejects.toThrow('down')
  const second = ask('b')
  await answerAll()
  expect(await second).toBe('b')
  expect(found).toEqual(['b=b'])
})

test('a query that began before it was to be forgotten is joined by nobody who asks later', async () => {
  const { queries, lookups, ask, answerAll } = setUp()
  const before = ask('k')
  lookups.forget()
  const after = ask('k')
  await answerAll()
  await Promise.all([before, after])
  expect(queries.map(({ digests }) => digests)).toEqual([['k'], ['k']])
})
