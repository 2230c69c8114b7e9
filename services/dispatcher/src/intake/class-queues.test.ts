import { expect, test } from '@jest/globals'
import type { PriorityClass } from '@posthorn/contracts/topics'
import { createClassQueues } from './class-queues.ts'

function filled(counts: Record<PriorityClass, number>) {
  const queues = createClassQueues<PriorityClass>()
  for (const one of ['low', 'normal', 'high'] as const) {
    for (let n = 0; n < counts[one]; n += 1) queues.push(`delivery.due.${one}`, one)
  }
  return queues
}

function tally(items: readonly PriorityClass[]) {
  const count = (of: PriorityClass) => items.filter((item) => item === of).length
  return { high: count('high'), normal: count('normal'), low: count('low') }
}

test('serves 6:3:1 while all wait, whatever the size of a take', () => {
  const queues = filled({ high: 100, normal: 100, low: 100 })
  const items = [...queues.take(3), ...queues.take(47), ...queues.take(1), ...queues.take(49)]
  expect(tally(items)).toEqual({ high: 60, normal: 30, low: 10 })
  expect(queues.size()).toBe(200)
})

test('gives the turns of an empty class to the others', () => {
  expect(tally(filled({ high: 0, normal: 100, low: 100 }).take(40))).toEqual({
    high: 0,
    normal: 30,
    low: 10,
  })
  expect(tally(filled({ high: 0, normal: 0, low: 7 }).take(40))).toEqual({
    high: 0,
    normal: 0,
    low: 7,
  })
  expect(filled({ high: 0, normal: 0, low: 0 }).take(1)).toEqual([])
})

test('keeps the order within a class', () => {
  const queues = createClassQueues<number>()
  for (let n = 0; n < 1_000; n += 1) queues.push('delivery.due.normal', n)
  const taken: number[] = []
  while (queues.size() > 0) taken.push(...queues.take(37))
  expect(taken).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
})

test('what belongs to a flood comes after the rest of its class, but for one in ten', () => {
  const queues = createClassQueues<string>()
  for (let n = 0; n < 1_000; n += 1) queues.push('delivery.due.normal.bulk', 'bulk')
  for (let n = 0; n < 90; n += 1) queues.push('delivery.due.normal', 'sparse')
  const first = queues.take(100)
  expect(first.filter((one) => one === 'sparse')).toHaveLength(90)
  expect(first.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 'sparse'))
  expect(queues.take(1_000)).toHaveLength(990)
  expect(queues.size()).toBe(0)
})

test('a flood of high priority goes before what is of low priority, six to one', () => {
  const queues = createClassQueues<PriorityClass>()
  for (let n = 0; n < 100; n += 1) queues.push('delivery.due.high.bulk', 'high')
  for (let n = 0; n < 100; n += 1) queues.push('delivery.due.low', 'low')
  expect(tally(queues.take(70))).toEqual({ high: 60, normal: 0, low: 10 })
})

test('what belongs to no flood can be taken alone', () => {
  const queues = createClassQueues<string>()
  for (let n = 0; n < 100; n += 1) queues.push('delivery.due.high.bulk', 'bulk')
  expect(queues.takeSparse(10)).toEqual([])
  queues.push('delivery.due.low', 'low')
  queues.push('delivery.due.normal', 'normal')
  expect(queues.takeSparse(1)).toHaveLength(1)
  expect(queues.takeSparse(10)).toHaveLength(1)
  expect(queues.size()).toBe(100)
})
