import { expect, test } from '@jest/globals'
import { within } from './within.ts'

const never = new Promise<void>(() => {})

test('ends with the work, or with the time', async () => {
  let ended = false
  await within(
    60_000,
    Promise.resolve().then(() => (ended = true)),
  )
  expect(ended).toBe(true)
  const startedAt = performance.now()
  await within(30, never)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29)
})

test('fails as the work does', async () => {
  await expect(within(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
