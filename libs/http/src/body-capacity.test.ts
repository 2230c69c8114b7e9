import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type BodyReservation, createBodyCapacity, SMALL_BODY_BYTES } from './body-capacity.ts'

const KIB = 1_024
const LARGE = 100 * KIB

/** Capacity for eight large bodies, and for eight small ones. */
function setUp() {
  const capacity = createBodyCapacity({
    largestBody: LARGE,
    maxBytes: 8 * LARGE,
    maxSmallBytes: 8 * SMALL_BODY_BYTES,
  })
  return (tenantId: string, senderId = tenantId) => capacity({ tenantId, senderId })
}

function fits(one: BodyReservation, bytes: number): boolean {
  try {
    one.reserve(bytes)
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
    expect(fits(open('t', 'one'), SMALL_BODY_BYTES + 1)).toBe(false)
    expect(fits(open('t', 'two'), LARGE)).toBe(true)
    first.release()
    expect(fits(open('t', 'one'), LARGE)).toBe(true)
  })

  test('of small bodies is apart: large ones can’t fill it, and it goes over into the large one’s', () => {
    const open = setUp()
    for (let n = 0; n < 8; n += 1) open(`t${n}`).reserve(LARGE)
    expect(fits(open('other'), SMALL_BODY_BYTES)).toBe(true)
    expect(fits(open('other'), 1)).toBe(false)

    const fresh = setUp()
    fresh('t').reserve(SMALL_BODY_BYTES)
    expect(fits(fresh('t'), SMALL_BODY_BYTES)).toBe(true)
    expect(fits(fresh('t'), SMALL_BODY_BYTES)).toBe(false)
  })

  test('a body of no told length becomes a large one once it is over 64 KiB', () => {
    const open = setUp()
    const growing = open('t')
    growing.reserve(SMALL_BODY_BYTES)
    growing.reserve(1)
    expect(fits(open('t'), SMALL_BODY_BYTES)).toBe(true)
    expect(fits(open('t'), LARGE - SMALL_BODY_BYTES)).toBe(false)
    growing.release()
    expect(fits(open('t'), LARGE)).toBe(true)
  })

  test('is never too small for the largest body', () => {
    const capacity = createBodyCapacity({ largestBody: 10 * LARGE, maxBytes: LARGE })
    expect(fits(capacity({ tenantId: 't', senderId: 'h' }), 10 * LARGE)).toBe(true)
  })
})

describe('a one that a tenant’s many keys fill', () => {
  /** Eight keys of one tenant take all of it. */
  function fill(open: ReturnType<typeof setUp>) {
    return Array.from({ length: 8 }, (_, n) => {
      const one = open('greedy', `key ${n}`)
      const cuts: Error[] = []
      one.reserve(LARGE)
      one.reading((error) => cuts.push(error))
      return { one, cuts }
    })
  }

  test('gives another tenant the place of a body that is still being read', () => {
    const open = setUp()
    const taken = fill(open)
    expect(fits(open('other'), LARGE)).toBe(true)
    expect(taken.flatMap(({ cuts }) => cuts)).toEqual([
      expect.objectContaining({ code: 'UNAVAILABLE' }),
    ])
    expect(fits(open('greedy', 'key 9'), LARGE)).toBe(false)
  })

  test('takes nothing from what is at work, nor from whoever holds no more than the asking tenant', () => {
    const open = setUp()
    for (const { one } of fill(open)) one.atWork()
    expect(fits(open('other'), LARGE)).toBe(false)

    const even = setUp()
    for (let n = 0; n < 8; n += 1) {
      const one = even(`t${n}`)
      one.reserve(LARGE)
      one.reading(() => expect('cut').toBe('never'))
    }
    expect(fits(even('t8'), LARGE)).toBe(false)
    expect(fits(even('t8'), SMALL_BODY_BYTES)).toBe(true)
  })
})

test('whatever comes and goes, no share is ever exceeded and all one comes back', () => {
  const step = fc.record({
    sender: fc.integer({ min: 0, max: 5 }),
    bytes: fc.integer({ min: 1, max: LARGE }),
    what: fc.constantFrom('take', 'take', 'more', 'read', 'back'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const open = setUp()
      const capacity: BodyReservation[] = []
      for (const { sender, bytes, what } of steps) {
        const last = capacity.at(-1)
        if (what === 'take') {
          const one = open(`t${sender % 2}`, `h${sender}`)
          one.reading(() => one.release())
          if (fits(one, bytes)) capacity.push(one)
        } else if (what === 'more' && last !== undefined) fits(last, bytes)
        else if (what === 'read') last?.atWork()
        else if (what === 'back') capacity.pop()?.release()
      }
      for (const one of capacity) one.release()
      for (let n = 0; n < 8; n += 1) {
        const [large, small] = [open('t0', `h${n}`), open('t1', `h${n}`)]
        expect(fits(large, LARGE)).toBe(true)
        expect(fits(small, SMALL_BODY_BYTES)).toBe(true)
      }
    }),
  )
})
