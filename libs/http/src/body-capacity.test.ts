import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type BodyReservation, createBodyCapacity, SMALL_BODY_BYTES } from './body-capacity.ts'

const KIB = 1_024
const LARGE = 100 * KIB

/** A room for eight large bodies, and one for eight small ones. */
function setUp() {
  const rooms = createBodyCapacity({
    largestBody: LARGE,
    maxBytes: 8 * LARGE,
    maxSmallBytes: 8 * SMALL_BODY_BYTES,
  })
  return (tenantId: string, holderId = tenantId) => rooms({ tenantId, senderId: holderId })
}

function isTaken(room: BodyReservation, bytes: number): boolean {
  try {
    room.reserve(bytes)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 })
    return false
  }
}

describe('a share', () => {
  test('is an eighth; what is given back is free again', () => {
    const open = setUp()
    const first = open('t', 'one')
    first.reserve(LARGE)
    expect(isTaken(open('t', 'one'), SMALL_BODY_BYTES + 1)).toBe(false)
    expect(isTaken(open('t', 'two'), LARGE)).toBe(true)
    first.release()
    expect(isTaken(open('t', 'one'), LARGE)).toBe(true)
  })

  test('of small bodies is apart: large ones can’t fill it, and it goes over into the large one’s', () => {
    const open = setUp()
    for (let n = 0; n < 8; n += 1) open(`t${n}`).reserve(LARGE)
    expect(isTaken(open('other'), SMALL_BODY_BYTES)).toBe(true)
    expect(isTaken(open('other'), 1)).toBe(false)

    const fresh = setUp()
    fresh('t').reserve(SMALL_BODY_BYTES)
    expect(isTaken(fresh('t'), SMALL_BODY_BYTES)).toBe(true)
    expect(isTaken(fresh('t'), SMALL_BODY_BYTES)).toBe(false)
  })

  test('a body of no told length becomes a large one once it is over 64 KiB', () => {
    const open = setUp()
    const growing = open('t')
    growing.reserve(SMALL_BODY_BYTES)
    growing.reserve(1)
    expect(isTaken(open('t'), SMALL_BODY_BYTES)).toBe(true)
    expect(isTaken(open('t'), LARGE - SMALL_BODY_BYTES)).toBe(false)
    growing.release()
    expect(isTaken(open('t'), LARGE)).toBe(true)
  })

  test('is never too small for the largest body', () => {
    const rooms = createBodyCapacity({ largestBody: 10 * LARGE, maxBytes: LARGE })
    expect(isTaken(rooms({ tenantId: 't', senderId: 'h' }), 10 * LARGE)).toBe(true)
  })
})

describe('a room that a tenant’s many keys fill', () => {
  /** Eight keys of one tenant hold all of it. */
  function fill(open: ReturnType<typeof setUp>) {
    return Array.from({ length: 8 }, (_, n) => {
      const room = open('greedy', `key ${n}`)
      const cuts: Error[] = []
      room.reserve(LARGE)
      room.reading((error) => cuts.push(error))
      return { room, cuts }
    })
  }

  test('gives another tenant the place of a body that is still being read', () => {
    const open = setUp()
    const held = fill(open)
    expect(isTaken(open('other'), LARGE)).toBe(true)
    expect(held.flatMap(({ cuts }) => cuts)).toEqual([
      expect.objectContaining({ code: 'UNAVAILABLE' }),
    ])
    expect(isTaken(open('greedy', 'key 9'), LARGE)).toBe(false)
  })

  test('takes nothing from what is at work, nor from whoever holds no more than the asking tenant', () => {
    const open = setUp()
    for (const { room } of fill(open)) room.atWork()
    expect(isTaken(open('other'), LARGE)).toBe(false)

    const even = setUp()
    for (let n = 0; n < 8; n += 1) {
      const room = even(`t${n}`)
      room.reserve(LARGE)
      room.reading(() => expect('cut').toBe('never'))
    }
    expect(isTaken(even('t8'), LARGE)).toBe(false)
    expect(isTaken(even('t8'), SMALL_BODY_BYTES)).toBe(true)
  })
})

test('whatever comes and goes, no share is ever exceeded and all room comes back', () => {
  const step = fc.record({
    holder: fc.integer({ min: 0, max: 5 }),
    bytes: fc.integer({ min: 1, max: LARGE }),
    what: fc.constantFrom('take', 'take', 'more', 'read', 'back'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const open = setUp()
      const rooms: BodyReservation[] = []
      for (const { holder, bytes, what } of steps) {
        const last = rooms.at(-1)
        if (what === 'take') {
          const room = open(`t${holder % 2}`, `h${holder}`)
          room.reading(() => room.release())
          if (isTaken(room, bytes)) rooms.push(room)
        } else if (what === 'more' && last !== undefined) isTaken(last, bytes)
        else if (what === 'read') last?.atWork()
        else if (what === 'back') rooms.pop()?.release()
      }
      for (const room of rooms) room.release()
      for (let n = 0; n < 8; n += 1) {
        const [large, small] = [open('t0', `h${n}`), open('t1', `h${n}`)]
        expect(isTaken(large, LARGE)).toBe(true)
        expect(isTaken(small, SMALL_BODY_BYTES)).toBe(true)
      }
    }),
  )
})
