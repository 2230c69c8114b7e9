import { expect, test } from '@jest/globals'
import { createMutex } from './mutex.ts'

test('runs one at a time, in order, and a failure is its own', async () => {
  const mutex = createMutex()
  const seen: string[] = []
  const step = (name: string, fails = false) =>
    mutex(async () => {
      seen.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([step('a'), step('b', true), step('c')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})
