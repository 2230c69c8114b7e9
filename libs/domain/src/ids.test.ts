import { afterEach, expect, test } from '@jest/globals'
import { idAt, isUuid, newId, setClockOffset, timeOfId } from './ids.ts'

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

afterEach(() => setClockOffset(0))

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

test('ids stay in order when the clock is set back', () => {
  setClockOffset(60_000)
  const ahead = newId()
  setClockOffset(0)
  const after = newId()
  expect(after > ahead).toBe(true)
  expect(timeOfId(after)).toBeGreaterThanOrEqual(timeOfId(ahead))
})

test('ids follow the offset to the database’s clock', () => {
  const before = Date.now()
  setClockOffset(3_600_000.7)
  const ms = timeOfId(newId())
  expect(ms).toBeGreaterThanOrEqual(before + 3_600_000)
  expect(ms).toBeLessThan(Date.now() + 3_605_000)
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
