import { afterEach, expect, test } from '@jest/globals'
import { idAt, isUuid, MAX_BORROWED_MS, newId, setIdClock, timeOfId } from './ids.ts'

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const HOUR_MS = 3_600_000
/** The machine's time; the clocks of these tests are set relative to it. */
let aheadMs = 0
const ahead = (): number => Date.now() + aheadMs

afterEach(() => {
  aheadMs = 0
  setIdClock(() => Date.now())
})

test('ids have the form of a UUIDv7 and carry the time', () => {
  const before = Date.now()
  const id = newId()
  expect(id).toMatch(V7)
  expect(isUuid(id)).toBe(true)
  expect(timeOfId(id)).toBeGreaterThanOrEqual(before)
  expect(timeOfId(id)).toBeLessThanOrEqual(Date.now() + 1)
})

test('20,000 ids in a few milliseconds, more than 4,096 in each, are distinct and in order', () => {
  const ids = Array.from({ length: 20_000 }, newId)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(V7)
})

test('ids stay in order when the clock is set back by a little', () => {
  setIdClock(ahead)
  aheadMs = MAX_BORROWED_MS / 2
  const first = newId()
  aheadMs = 0
  const after = newId()
  expect(after > first).toBe(true)
  expect(timeOfId(after)).toBe(timeOfId(first))
})

test.each([2_000, HOUR_MS, 30 * 24 * HOUR_MS])(
  'a clock that was %d ms ahead leaves nothing in the ids once it is right again',
  (ms) => {
    setIdClock(ahead)
    aheadMs = ms
    expect(timeOfId(newId())).toBeGreaterThanOrEqual(Date.now() + ms - 1)
    aheadMs = 0
    const before = Date.now()
    expect(timeOfId(newId())).toBeGreaterThanOrEqual(before)
    expect(timeOfId(newId())).toBeLessThanOrEqual(Date.now())
  },
)

test('ids follow the clock that they are given', () => {
  setIdClock(ahead)
  aheadMs = HOUR_MS + 0.7
  const before = Date.now()
  const ms = timeOfId(newId())
  expect(ms).toBeGreaterThanOrEqual(before + HOUR_MS)
  expect(ms).toBeLessThan(Date.now() + HOUR_MS + 5_000)
})

test('no id lies outside of its span, whatever the clock says and however many are made', () => {
  const from = Date.now() - HOUR_MS
  const to = Date.now() + HOUR_MS
  setIdClock(ahead, { from, to })
  for (const ms of [100 * HOUR_MS, -100 * HOUR_MS, 0, 100 * HOUR_MS]) {
    aheadMs = ms
    const ids = Array.from({ length: 10_000 }, newId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) {
      expect(timeOfId(id)).toBeGreaterThanOrEqual(from)
      expect(id < idAt(to)).toBe(true)
    }
  }
  // The span moves on with the partitions, even when it becomes smaller.
  setIdClock(ahead, { from, to: to - HOUR_MS / 2 })
  expect(newId() < idAt(to - HOUR_MS / 2)).toBe(true)
})

test.each([0, 1, 1_763_683_200_000, 2 ** 48 - 1])(
  'idAt is the least id of its millisecond: %d',
  (ms) => {
    expect(timeOfId(idAt(ms))).toBe(ms)
    expect(idAt(ms)).toMatch(V7)
    if (ms > 0) expect(idAt(ms - 1) < idAt(ms)).toBe(true)
  },
)

test('an id falls between the bounds of its own millisecond', () => {
  const id = newId()
  expect(idAt(timeOfId(id)) <= id).toBe(true)
  expect(id < idAt(timeOfId(id) + 1)).toBe(true)
})

test.each([
  ['0190a5d8-1111-7000-8000-000000000000', true],
  ['0190A5D8-1111-7000-8000-00000000ABCD', true],
  ['0190a5d8111170008000000000000000', false],
  ['0190a5d8-1111-7000-8000-00000000000g', false],
  ['0190a5d8-1111-7000-8000-000000000000\n', false],
  ['', false],
])('isUuid(%j) is %s', (text, expected) => {
  expect(isUuid(text)).toBe(expected)
})
