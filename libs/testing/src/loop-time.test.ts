import { expect, test } from '@jest/globals'
import { setTimeout as pause } from 'node:timers/promises'
import { startLoopTime } from './loop-time.ts'

test('a wait counts, and time in which the loop could not turn does not', async () => {
  const waiting = startLoopTime()
  await pause(200)
  expect(waiting()).toBeGreaterThan(50)

  const blocked = startLoopTime()
  const until = performance.now() + 400
  while (performance.now() < until);
  await pause(1)
  expect(blocked()).toBeLessThan(50)
})
