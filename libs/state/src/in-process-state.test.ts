import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
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

  test('answers what is alive, whatever was set, set again, deleted and over its bound', () => {
    const key = fc.nat(8).map((n) => `key ${n}`)
    const step = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), key, ttlMs: fc.nat(50) }),
      fc.record({ kind: fc.constant('delete' as const), key }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(40) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { clock, deps } = manualClock()
        const map = createExpiringMap<number>({ maxEntries: 100 }, deps)
        const expected = new Map<string, { value: number; endsAt: number }>()
        for (const [value, one] of steps.entries()) {
          if (one.kind === 'wait') clock.now += one.ms
          else if (one.kind === 'delete') {
            map.delete(one.key)
            expected.delete(one.key)
          } else {
            map.set(one.key, value, one.ttlMs)
            expected.set(one.key, { value, endsAt: clock.now + one.ttlMs })
          }
        }
        for (const [name, { value, endsAt }] of expected) {
          expect(map.get(name)).toBe(endsAt > clock.now ? value : undefined)
        }
        expect(map.size()).toBeLessThanOrEqual(expected.size)
      }),
    )
  })

  test('keeps nothing of what has gone', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { clock, deps } = manualClock()
    const map = createExpiringMap<true>({ maxEntries: 100_000 }, deps)
    const heapAfter = (from: number, to: number): number => {
      for (let n = from; n < to; n += 1) {
        clock.now += 1
        map.set(`key ${n}`, true, 5_000)
      }
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = heapAfter(0, 100_000)
    const after = heapAfter(100_000, 500_000)
    // 400,000 entries have come and gone. With an iterator that was kept it was 100 MB.
    expect(after - before).toBeLessThan(5e6)
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
