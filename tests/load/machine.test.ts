import { expect, test } from '@jest/globals'
import { disturbance, isSameType, isSpoiled, parseTicks } from './machine.ts'
import { difference, parseStat, sum } from './processes.ts'

test('the share of others is read from /proc/stat, less our own', () => {
  const before = parseTicks('cpu  100 0 50 800 10 0 0 40 7 7\ncpu0 1 2 3\n')
  const after = parseTicks('cpu  150 0 80 900 10 0 0 60 9 9\ncpu0 1 2 3\n')
  expect(before).toEqual({ total: 1_000, busy: 150, stolen: 40 })
  const disturbed = disturbance(before, after, 0.3)
  expect(disturbed.steal).toBeCloseTo(0.1)
  expect(disturbed.others).toBeCloseTo(0.25)
  expect(disturbance(before, after, 2).others).toBe(0)
  expect(disturbance(before, before, 0)).toEqual({ steal: 0, others: 0 })
})

test('a run is spoiled by steal or by other programs', () => {
  expect(isSpoiled({ steal: 0.06, others: 0 })).toBe(true)
  expect(isSpoiled({ steal: 0, others: 0.11 })).toBe(true)
  expect(isSpoiled({ steal: 0.05, others: 0.1 })).toBe(false)
})

test('machines are of one type when processors and memory are the same', () => {
  const machine = { processors: 2, model: 'one', memoryGiB: 24 }
  expect(isSameType(machine, { ...machine })).toBe(true)
  expect(isSameType(machine, { ...machine, processors: 4 })).toBe(false)
  expect(isSameType(machine, { ...machine, model: 'other' })).toBe(false)
})

test('the ticks of a process include those of its children that ended', () => {
  const fields = '42 (a) b (c)) S 7 1 1 0 -1 4194560 100 0 0 0 30 20 5 1 20 0 11 0'
  expect(parseStat(fields)).toEqual({ pid: 42, parent: 7, command: 'a) b (c)', ticks: 56 })
})

test('usage is the difference for each class, new classes included', () => {
  const used = difference({ postgres: 5, dispatcher: 3 }, { postgres: 4 })
  expect(used).toEqual({ postgres: 1, dispatcher: 3 })
  expect(sum(used)).toBe(4)
})
