import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createQueue } from './queue.ts'

test('gives out in order, one at a time or in runs', () => {
  const queue = createQueue<number>()
  for (let n = 0; n < 5; n += 1) queue.push(n)
  expect([queue.peek(), queue.shift(), queue.take(2), queue.size()]).toEqual([0, 0, [1, 2], 2])
  expect([queue.take(9), queue.take(1), queue.shift(), queue.peek()]).toEqual([
    [3, 4],
    [],
    undefined,
    undefined,
  ])
})

test('does whatever an array does, however long it grows', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), count: fc.nat(400) }),
    fc.record({ kind: fc.constant('shift' as const), count: fc.nat(300) }),
    fc.record({ kind: fc.constant('take' as const), count: fc.nat(700) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const queue = createQueue<number>()
      const model: number[] = []
      let next = 0
      for (const { kind, count } of steps) {
        if (kind === 'take') expect(queue.take(count)).toEqual(model.splice(0, count))
        for (let n = 0; kind === 'push' && n < count; n += 1, next += 1) {
          queue.push(next)
          model.push(next)
        }
        for (let n = 0; kind === 'shift' && n < count; n += 1) {
          expect([queue.peek(), queue.shift()]).toEqual([model[0], model.shift()])
        }
        expect(queue.size()).toBe(model.length)
      }
    }),
  )
})
