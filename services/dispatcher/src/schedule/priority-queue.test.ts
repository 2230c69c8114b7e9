import { expect, test } from '@jest/globals'
import { createPriorityQueue } from './priority-queue.ts'

test('gives the most urgent first, and of the same urgency the first', () => {
  const queue = createPriorityQueue<string>((item) => Number(item.slice(1)))
  expect([queue.size(), queue.peek(), queue.shift()]).toEqual([0, undefined, undefined])
  for (const item of ['a5', 'b1', 'c10', 'd5', 'e1']) queue.push(item)
  expect(queue.heads()).toEqual(['b1', 'a5', 'c10'])
  expect(queue.peek()).toBe('b1')
  const order = Array.from({ length: 5 }, () => queue.shift())
  expect(order).toEqual(['b1', 'e1', 'a5', 'd5', 'c10'])
  expect(queue.size()).toBe(0)
})
