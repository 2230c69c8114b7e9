import { expect, test } from '@jest/globals'
import { within } from './within.ts'

const never = new Promise<string>(() => {})

test('gives what the work gives, or nothing once the time is over', async () => {
  expect(await within(60_000, Promise.resolve('done'))).toBe('done')
  const startedAt = performance.now()
  expect(await within(30, never)).toBeUndefined()
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29)
})

test('the caller decides what a late answer is', async () => {
  expect(await within(1, never, () => 'late')).toBe('late')
  const tooLate = within(1, never, () => {
    throw new Error('no answer')
  })
  await expect(tooLate).rejects.toThrow('no answer')
})

test('fails as the work does, unless the time was over before', async () => {
  await expect(within(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  const { promise, reject } = Promise.withResolvers<string>()
  expect(await within(1, promise)).toBeUndefined()
  reject(new Error('broken'))
  await expect(promise).rejects.toThrow('broken')
})
