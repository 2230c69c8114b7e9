import { beforeEach, describe, expect, test } from '@jest/globals'
import { createFairQueue, type FairQueue } from './fair-queue.ts'

let now: number
let queue: FairQueue<string>
beforeEach(() => {
  now = 0
  queue = createFairQueue(() => now)
})

function push(tenantId: string, target: string, count: number): void {
  for (let n = 0; n < count; n += 1) queue.push({ tenantId, target }, `${tenantId} ${target} ${n}`)
}

function take(count: number): string[] {
  return Array.from({ length: count }, () => queue.shift() as string)
}

describe('turns', () => {
  test('whoever comes is next, however many wait for others', () => {
    for (let n = 0; n < 3; n += 1) push('a', `flooded ${n}`, 1_000)
    take(100)
    push('a', 'other', 1)
    push('b', 'x', 1)
    expect(take(4)).toEqual(expect.arrayContaining(['a other 0', 'b x 0']))
    expect(queue.size()).toBe(2_898)
  })

  test('are of tenants first, then of the targets of each', () => {
    for (let n = 0; n < 100; n += 1) push('a', `${n}`, 5)
    push('b', 'x', 3)
    push('b', 'y', 3)
    const taken = take(12)
    expect(taken.filter((item) => item.startsWith('b'))).toEqual([
      'b x 0',
      'b x 1',
      'b y 0',
      'b x 2',
      'b y 1',
      'b y 2',
    ])
  })

  test('are, one in two, of targets that had nothing waiting, however many of these come', () => {
    push('a', 'flooded', 100)
    take(1)
    for (let n = 0; n < 100; n += 1) push('a', `new ${n}`, 1)
    expect(take(20).filter((item) => item.startsWith('a flooded')).length).toBe(10)
  })

  test('keep the order within a target, and nothing is lost or given twice', () => {
    push('a', 'x', 300)
    push('a', 'y', 200)
    const taken = take(500)
    expect(taken.filter((item) => item.startsWith('a x'))).toEqual(
      Array.from({ length: 300 }, (_, n) => `a x ${n}`),
    )
    expect(new Set(taken).size).toBe(500)
    expect([queue.shift(), queue.size()]).toEqual([undefined, 0])
    push('a', 'x', 1)
    expect(take(1)).toEqual(['a x 0'])
  })
})

describe('what is overdue', () => {
  test('is nothing before a second has shown how fast a target goes', () => {
    push('a', 'x', 1_000)
    now = 999
    expect(queue.overdue(10)).toEqual([])
  })

  test('is the newest of what goes beyond what its target had in a second', () => {
    push('a', 'slow', 500)
    push('a', 'fast', 500)
    push('b', 'other', 3)
    // 100 turns of each of `a`, as `b` has few.
    take(203)
    now = 1_000
    const overdue = queue.overdue(1_000)
    expect(overdue.length).toBe(2 * 300)
    expect(overdue[0]).toBe('a slow 499')
    expect(queue.size()).toBe(200)
    expect(take(1)).toEqual(['a fast 99'])
  })

  test('is nothing of a target that goes as fast as it is filled', () => {
    push('a', 'x', 5_000)
    take(2_500)
    now = 1_000
    expect(queue.overdue(10)).toEqual([])
    now = 2_000
    expect(queue.overdue(2_000).length).toBe(1_250)
  })

  test('leaves the oldest of each, and takes no more than is asked for', () => {
    push('a', 'x', 100)
    now = 1_000
    expect(queue.overdue(30).length).toBe(30)
    expect(queue.overdue(1_000).length).toBe(69)
    expect(take(1)).toEqual(['a x 0'])
  })
})
