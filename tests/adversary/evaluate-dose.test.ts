/** A finding is what exceeds a bound on this machine and can be repeated. */
import { expect, test } from '@jest/globals'
import { createSeededRandom } from './seeded-random.ts'
import { evaluateDose, kindOf, type MachineSpeed, type DoseMeasurement } from './evaluate-dose.ts'

const WELL: DoseMeasurement = {
  stallMs: 20,
  liveMs: 400,
  cpuMs: 500,
  accepted: 40,
  refused: {},
  lost: 0,
  p50Ms: 4,
  p99Ms: 40,
  grownMiB: 30,
  problems: [],
  stalls: [],
}
const MACHINE: MachineSpeed = { factor: 1, idle: { stallMs: 3, p99Ms: 20 } }

test('a measurement within the bounds is no finding, however long it took by the clock', () => {
  expect(evaluateDose(WELL, MACHINE)).toEqual([])
})

test('each bound that is exceeded is a finding', () => {
  const stalls = ['receiveInbound 15']
  expect(evaluateDose({ ...WELL, stallMs: 15_000, stalls }, MACHINE)).toEqual([
    'blocked the event loop for 15000 ms of its processor time (receiveInbound 15); 28 is allowed',
  ])
  expect(evaluateDose({ ...WELL, refused: { 503: 4 } }, MACHINE)).toEqual([
    'the neighbour was refused: 4 x 503',
  ])
  expect(evaluateDose({ ...WELL, lost: 2, p99Ms: 9_000, grownMiB: 500 }, MACHINE)).toHaveLength(3)
  expect(evaluateDose({ ...WELL, problems: ['a'] }, MACHINE)).toEqual(['a'])
})

test('a slower machine is allowed more, and a finding is recognised by its kind', () => {
  const slow = { ...MACHINE, factor: 2 }
  expect(evaluateDose({ ...WELL, stallMs: 50 }, slow)).toEqual([])
  const [first, again] = [30_000, 31_000].map((stallMs) =>
    evaluateDose({ ...WELL, stallMs }, MACHINE),
  )
  expect(kindOf(first?.[0] ?? '')).toBe(kindOf(again?.[0] ?? ''))
})

test('a seed gives the same choices again', () => {
  const [one, other] = [createSeededRandom(7), createSeededRandom(7)]
  const choices = Array.from({ length: 50 }, () => one.integer(1_000))
  expect(Array.from({ length: 50 }, () => other.integer(1_000))).toEqual(choices)
  expect(new Set(choices).size).toBeGreaterThan(40)
  expect(choices.every((choice) => choice >= 0 && choice < 1_000)).toBe(true)
})
