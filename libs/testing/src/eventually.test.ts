import { expect, test } from '@jest/globals'
import { eventually } from './eventually.ts'

test('answers what the check answers once it stops throwing', async () => {
  let calls = 0
  const value = await eventually(
    () => {
      calls += 1
      if (calls < 3) throw new Error('not yet')
      return 'there'
    },
    { everyMs: 1 },
  )
  expect(value).toBe('there')
  expect(calls).toBe(3)
})

test('goes on while the check answers false', async () => {
  let calls = 0
  await eventually(() => (calls += 1) === 4, { everyMs: 1 })
  expect(calls).toBe(4)
})

test('throws the last error itself when time is up', async () => {
  const last = new Error('still not')
  await expect(eventually(() => Promise.reject(last), { timeoutMs: 10, everyMs: 1 })).rejects.toBe(
    last,
  )
})

test('says which check stayed false', async () => {
  const never = eventually(() => 1 > Number('2'), { timeoutMs: 5, everyMs: 1 })
  await expect(never).rejects.toThrow(/^still false after 5 ms: .*1 > Number\('2'\)$/)
})
