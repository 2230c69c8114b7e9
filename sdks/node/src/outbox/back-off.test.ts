import { expect, test } from '@jest/globals'
import { createGeneralPause, eventDelayMs } from './back-off.ts'

test('a pause doubles while nothing is answered, and failures within it count once', () => {
  let now = 0
  const pause = createGeneralPause(
    () => now,
    () => 1,
  )
  expect([pause.leftMs(), pause.isProbing()]).toEqual([0, false])
  const lengths: number[] = []
  for (let n = 0; n < 10; n += 1) {
    expect(pause.failed(0)).toBe(true)
    expect(pause.failed(0)).toBe(false)
    lengths.push(pause.leftMs())
    now += pause.leftMs()
  }
  expect(lengths).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  expect([pause.leftMs(), pause.isProbing()]).toEqual([0, true])
  pause.answered()
  expect(pause.isProbing()).toBe(false)
  pause.failed(0)
  expect(pause.leftMs()).toBe(250)
})

test('it lasts as long as the API asks for', () => {
  const pause = createGeneralPause(
    () => 0,
    () => 0,
  )
  pause.failed(60_000)
  expect(pause.leftMs()).toBe(60_000)
  pause.failed(90_000)
  expect(pause.leftMs()).toBe(90_000)
})

test('an event waits longer each time, up to five minutes', () => {
  const delays = [0, 1, 2, 9, 10, 5_000].map((attempts) => eventDelayMs(attempts, () => 1))
  expect(delays).toEqual([500, 1_000, 2_000, 256_000, 300_000, 300_000])
  expect(eventDelayMs(0, () => 0)).toBe(250)
})
