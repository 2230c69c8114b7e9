import { expect, test } from '@jest/globals'
import { answerEvenly } from './answer-evenly.ts'

test('answers and failures come no earlier than they may', async () => {
  const startedAt = performance.now()
  const failing = answerEvenly(30, () => Promise.reject(new Error('broken')))
  const done = answerEvenly(30, () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29)
  expect(await done).toBe('done')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29)
})
