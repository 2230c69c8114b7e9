import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { PLAIN_NAMES, TAGGED_NAMES } from './hash-tags.ts'

function tagIn(key: string): string {
  return /^\{(\d+)\}/.exec(key)?.[1] ?? ''
}

test('a key keeps its tag, and keys spread over all tags', () => {
  const keys = Array.from({ length: 2_000 }, () => `claim:${randomUUID()}:1`)
  expect(keys.map(TAGGED_NAMES.of)).toEqual(keys.map(TAGGED_NAMES.of))
  expect(new Set(keys.map((key) => tagIn(TAGGED_NAMES.of(key)))).size).toBe(32)
})

test('work is done by tag, and its answers come in the order of the items', async () => {
  const keys = Array.from({ length: 200 }, () => randomUUID())
  let calls = 0
  const answers = await TAGGED_NAMES.inBatches(
    keys,
    (key) => key,
    async (some) => {
      calls += 1
      expect(new Set(some.map((key) => tagIn(TAGGED_NAMES.of(key)))).size).toBe(1)
      return some.map((key) => `answer of ${key}`)
    },
  )
  expect(answers).toEqual(keys.map((key) => `answer of ${key}`))
  expect(calls).toBeLessThanOrEqual(32)
})

test('one that fails fails all', async () => {
  const work = async () => {
    throw new Error('gone')
  }
  await expect(TAGGED_NAMES.inBatches(['a', 'b'], (key) => key, work)).rejects.toThrow('gone')
})

test('outside a Cluster names are as they were, and a batch stays whole', async () => {
  expect(PLAIN_NAMES.of('claim:a')).toBe('claim:a')
  const batches: (readonly string[])[] = []
  const answers = await PLAIN_NAMES.inBatches(
    ['a', 'b'],
    (key) => key,
    async (some) => {
      batches.push(some)
      return some
    },
  )
  expect(batches).toEqual([['a', 'b']])
  expect(answers).toEqual(['a', 'b'])
})
