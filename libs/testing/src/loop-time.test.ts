import { expect, test } from '@jest/globals'
import { eventually } from './eventually.ts'
import { startLoopTime } from './loop-time.ts'

test('a wait counts, and time in which the loop could not turn does not', async () => {
  const waiting = startLoopTime()
  const later = performance.now() + 200
  await eventually(() => performance.now() > later, { everyMs: 20 })
  expect(waiting()).toBeGreaterThan(50)

  const blocked = startLoopTime()
  const until = performance.now() + 400
  while (performance.now() < until);
  expect(blocked()).toBeLessThan(50)
})
