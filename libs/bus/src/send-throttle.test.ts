import { describe, expect, test } from '@jest/globals'
import { createSendThrottle } from './send-throttle.ts'

/**
 * Sends what has come by each round, as the producer does. @returns how many messages each batch
 * had
 */
function batchesAt(perSecond: number, seconds: number, throttle = createSendThrottle(), from = 0) {
  const batches: number[] = []
  const every = 1_000 / perSecond
  let [next, waiting] = [from, 0]
  for (let now = from; now < from + seconds * 1_000; now += 0.25) {
    for (; next <= now; next += every) waiting += 1
    if (waiting === 0 || throttle.waitMs(now) > 0) continue
    throttle.sent(waiting, now)
    batches.push(waiting)
    waiting = 0
  }
  return batches
}

describe('createSendThrottle', () => {
  test('lets go at once what comes alone', () => {
    const throttle = createSendThrottle()
    expect(throttle.waitMs(0)).toBe(0)
    throttle.sent(1, 0)
    expect(throttle.waitMs(0.25)).toBe(0.75)
    expect(throttle.waitMs(2)).toBe(0)
    expect(batchesAt(100, 5)).toEqual(Array.from({ length: 500 }, () => 1))
    expect(Math.max(...batchesAt(290, 5))).toBe(1)
  })

  test('waits for more only where much comes', () => {
    const some = batchesAt(1_000, 5).slice(-100)
    expect(Math.max(...some)).toBeLessThan(10)
    expect(Math.min(...some)).toBeGreaterThan(3)
    const busy = batchesAt(2_500, 5).slice(-10)
    expect(Math.min(...busy)).toBeGreaterThan(80)
  })

  test('waits as soon as more has come than in a calm window', () => {
    const batches = batchesAt(4_000, 0.25)
    expect(batches.length).toBeLessThan(90)
    expect(batches.at(-1)).toBe(20)
  })

  test('does not take one burst for a rate', () => {
    const throttle = createSendThrottle()
    batchesAt(500, 1, throttle)
    throttle.sent(100, 1_003)
    expect(Math.max(...batchesAt(500, 1, throttle, 1_010))).toBeLessThan(10)
  })

  test('goes back to its short wait when it becomes calm', () => {
    const throttle = createSendThrottle()
    expect(batchesAt(3_000, 1, throttle).at(-1)).toBeGreaterThan(80)
    expect(batchesAt(200, 2, throttle, 1_000).slice(-100)).toEqual(
      Array.from({ length: 100 }, () => 1),
    )
  })
})
