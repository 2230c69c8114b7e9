import { describe, expect, test } from '@jest/globals'
import { controlsConformance } from './controls.conformance.ts'
import { createExpiringMap } from './expiring-map.ts'
import { createInProcessState } from './in-process-state.ts'
import { stateConformance } from './state.conformance.ts'

stateConformance('the process itself', async () => createInProcessState())
controlsConformance('the process itself', async () => createInProcessState())

function manualClock(start = 1_000) {
  const clock = { now: start }
  return { clock, deps: { nowMs: () => clock.now } }
}

describe('createInProcessState', () => {
  test('ends a claim at its time', async () => {
    const { clock, deps } = manualClock()
    const state = createInProcessState({}, deps)
    const claim = { key: 'a', ttlMs: 100 }
    await state.claim([claim])
    clock.now += 99
    expect(await state.claim([claim])).toEqual([false])
    clock.now += 1
    expect(await state.claim([claim])).toEqual([true])
  })

  test('gives exactly its rate over a long time', async () => {
    const { clock, deps } = manualClock()
    const state = createInProcessState({}, deps)
    let taken = 0
    for (let step = 0; step < 10_000; step += 1) {
      if ((await state.takeToken('a', 30)).allowed) taken += 1
      clock.now += 1
    }
    // The full bucket, and what it refills in ten seconds.
    expect(taken).toBe(30 + 299)
  })

  test('forgets the oldest claim when there are too many', async () => {
    const state = createInProcessState({ maxClaims: 2 })
    const claims = ['a', 'b', 'c'].map((key) => ({ key, ttlMs: 60_000 }))
    await state.claim(claims)
    expect(await state.claim(claims.slice(1))).toEqual([false, false])
    expect(await state.claim(claims.slice(0, 1))).toEqual([true])
  })
})

describe('createExpiringMap', () => {
  test('drops what has ended while it is written to, and keeps what lives', () => {
    const { clock, deps } = manualClock()
    const map = createExpiringMap<number>({ maxEntries: 100_000 }, deps)
    map.set('long', 1, 1e9)
    for (let index = 0; index < 50_000; index += 1) {
      clock.now += 1
      map.set(`short ${index}`, index, 1_000)
    }
    expect(map.get('long')).toBe(1)
    expect(map.get('short 49999')).toBe(49_999)
    expect(map.get('short 48000')).toBeUndefined()
    expect(map.size()).toBeLessThan(2_200)
  })

  test('over its bound the oldest goes, and finding it costs no more the more have gone', () => {
    const { deps } = manualClock()
    const [bound, count] = [50_000, 400_000]
    const map = createExpiringMap<number>({ maxEntries: bound }, deps)
    const plain = new Map<string, number>()
    const ours = cpuOf(() => {
      for (let n = 0; n < count; n += 1) map.set(`key ${n}`, n, 1e9)
    })
    const leastOf = cpuOf(() => {
      for (let n = 0; n < count; n += 1) {
        plain.set(`key ${n}`, n)
        plain.delete(`key ${n - bound}`)
      }
    })
    expect(map.size()).toBe(bound)
    expect(map.get(`key ${count - bound}`)).toBe(count - bound)
    expect(map.get(`key ${count - bound - 1}`)).toBeUndefined()
    // Three times as much as a map's own work. When the oldest entry was looked for from the start,
    // it was 25 times as much.
    expect(ours / leastOf).toBeLessThan(10)
  })
})

function cpuOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
