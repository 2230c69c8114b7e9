import { expect, test } from '@jest/globals'
import { createFairQueue } from './fair-queue.ts'

function all(queue: { shift(): string | undefined }): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

test('owners take turns, each in its own order', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.charAt(0), item)
  expect(queue.size()).toBe(6)
  expect(all(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(queue.size()).toBe(0)
})

test('what is put back comes before the others of its owner, and whose turn it is stays', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2', 'b1']) queue.push(item.charAt(0), item)
  const first = queue.shift() ?? ''
  queue.putBack('a', first)
  expect(all(queue)).toEqual(['b1', 'a1', 'a2'])
})
