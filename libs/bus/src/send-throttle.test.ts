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

  /** Sends some messages a batch, which is answered after so many ms. @returns the time then */
  function somewhatBusy(throttle: ReturnType<typeof createSendThrottle>, answerMs: number): number {
    let now = 0
    for (let batch = 0; batch < 200; batch += 1) {
      throttle.sent(1 + Math.round(answerMs), now)
      throttle.ended(true, now + answerMs)
      now += Math.max(throttle.waitMs(now), answerMs)
    }
    throttle.sent(7, now)
    return now
  }

  test('follows at twice the time that the broker takes, where that is longer', () => {
    const quick = createSendThrottle()
    expect(quick.waitMs(somewhatBusy(quick, 2))).toBe(5)
    const slow = createSendThrottle()
    expect(slow.waitMs(somewhatBusy(slow, 9))).toBeCloseTo(18)
    const stuck = createSendThrottle()
    expect(stuck.waitMs(somewhatBusy(stuck, 400))).toBe(40)
  })

  test('says how long what comes later would wait', () => {
    const throttle = createSendThrottle()
    const now = somewhatBusy(throttle, 2)
    expect(throttle.waitInMs(1, now, false)).toBe(4)
    expect(throttle.waitInMs(6, now, false)).toBe(0)
    // It comes too late for the batch that is due in 5 ms, and the next is 5 ms behind.
    expect(throttle.waitInMs(6, now, true)).toBe(4)
    throttle.ended(true, now + 2)
    expect(throttle.waitInMs(1.5, now + 5, true)).toBe(3.5)
    expect(throttle.waitInMs(1.5, now + 5, false)).toBe(0)
  })

  test('nothing would wait longer for others where messages go alone, or in large batches', () => {
    const calm = createSendThrottle()
    calm.sent(1, 0)
    expect(calm.waitInMs(0, 0, true)).toBe(0)
    const busy = createSendThrottle()
    batchesAt(3_000, 1, busy)
    expect(busy.waitMs(1_000)).toBeGreaterThan(10)
    expect(busy.waitInMs(0, 1_000, true)).toBe(0)
  })

  test('what is given up tells nothing about the time that an answer takes', () => {
    const waitAfter = (isAnswered: boolean): number => {
      const throttle = createSendThrottle()
      const now = somewhatBusy(throttle, 2) + 40
      throttle.ended(isAnswered, now)
      throttle.sent(20, now)
      return throttle.waitMs(now)
    }
    expect(waitAfter(true)).toBeGreaterThan(10)
    expect(waitAfter(false)).toBe(5)
  })
})
