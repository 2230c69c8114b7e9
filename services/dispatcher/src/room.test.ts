import { expect, test } from '@jest/globals'
import { hasRoomFor } from './room.ts'
import { MAX_IN_FLIGHT_BYTES } from './in-flight-set.ts'

const MOST = {
  recorder: { full: () => false },
  parking: { full: () => false },
  works: { bytes: () => MAX_IN_FLIGHT_BYTES - 1 },
  windows: { free: () => 1 },
}

test('there is room until one of the limits is reached', () => {
  expect(hasRoomFor(MOST)).toBe(true)
  const reached = [
    { recorder: { full: () => true } },
    { parking: { full: () => true } },
    { works: { bytes: () => MAX_IN_FLIGHT_BYTES } },
    { windows: { free: () => 0 } },
  ]
  expect(reached.map((one) => hasRoomFor({ ...MOST, ...one }))).toEqual(reached.map(() => false))
})
