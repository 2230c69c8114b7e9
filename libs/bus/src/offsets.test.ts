import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createLowWaterMark } from './offsets.ts'

describe('createLowWaterMark', () => {
  test('commits nothing before the first message', () => {
    expect(createLowWaterMark().committable()).toBeUndefined()
  })

  test('stays at the first message that is not done', () => {
    const mark = createLowWaterMark()
    const [a, b, c] = [mark.take(10), mark.take(11), mark.take(12)]
    expect(mark.committable()).toBe(10)
    mark.finish(b)
    mark.finish(c)
    expect(mark.committable()).toBe(10)
    mark.finish(a)
    expect(mark.committable()).toBe(13)
  })

  test('steps over gaps between offsets', () => {
    const mark = createLowWaterMark()
    mark.finish(mark.take(5))
    const slot = mark.take(90)
    expect(mark.committable()).toBe(90)
    mark.finish(slot)
    expect(mark.committable()).toBe(91)
  })

  test('is the lowest offset not done, whatever the order in which messages end', () => {
    const order = fc
      .integer({ min: 1, max: 60 })
      .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count }))
    fc.assert(
      fc.property(order, (endings) => {
        const mark = createLowWaterMark()
        const slots = endings.map((_, offset) => mark.take(offset))
        const open = new Set(endings)
        for (const offset of endings) {
          mark.finish(slots[offset] ?? -1)
          open.delete(offset)
          expect(mark.committable()).toBe(open.size > 0 ? Math.min(...open) : endings.length)
        }
      }),
    )
  })

  test('keeps slots valid after finished ones were cut off', () => {
    const mark = createLowWaterMark()
    const slots = Array.from({ length: 20_000 }, (_, offset) => mark.take(offset))
    for (const slot of slots.slice(0, 10_000)) mark.finish(slot)
    for (const slot of slots.slice(0, 10_000)) mark.finish(slot)
    expect(mark.committable()).toBe(10_000)
    for (const slot of slots.slice(10_001)) mark.finish(slot)
    expect(mark.committable()).toBe(10_000)
    mark.finish(slots[10_000] ?? -1)
    expect(mark.committable()).toBe(20_000)
  })
})
