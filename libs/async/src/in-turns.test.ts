import { expect, test } from '@jest/globals'
import { inTurns } from './in-turns.ts'

test('others have their turns between the steps, and the result is that of the last', async () => {
  const told: string[] = []
  function* work(): Generator<undefined, string, undefined> {
    for (let step = 0; step < 3; step += 1) {
      told.push(`step ${step}`)
      setImmediate(() => told.push('other'))
      yield
    }
    return 'done'
  }
  expect(await inTurns(work())).toBe('done')
  expect(told).toEqual(['step 0', 'other', 'step 1', 'other', 'step 2', 'other'])
})

test('what a step throws is thrown', async () => {
  function* work(): Generator<undefined, never, undefined> {
    yield
    throw new Error('no')
  }
  await expect(inTurns(work())).rejects.toThrow('no')
})
