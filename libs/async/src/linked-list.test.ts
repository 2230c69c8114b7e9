import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  addLast,
  createLinkedList,
  itemsOf,
  leaveList,
  type ListEntry,
  moveLast,
} from './linked-list.ts'

test('holds what was added and has not left, in the order of arrival', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('add' as const) }),
    fc.record({ kind: fc.constantFrom('leave' as const, 'take' as const), at: fc.nat(20) }),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const list = createLinkedList<number>()
      const entries: ListEntry<number>[] = []
      let expected: number[] = []
      for (const one of changes) {
        if (one.kind === 'add') {
          expected.push(entries.length)
          entries.push(addLast(list, entries.length))
          continue
        }
        const entry = entries[one.at]
        if (entry === undefined) continue
        expected = expected.filter((item) => item !== entry.item)
        if (one.kind === 'leave') leaveList(entry)
        else {
          moveLast(list, entry)
          expected.push(entry.item)
        }
      }
      expect(itemsOf(list)).toEqual(expected)
      expect(list.first?.item).toBe(expected[0])
      expect(list.last?.item).toBe(expected.at(-1))
    }),
  )
})

test('moves an entry from one list to another', () => {
  const [from, to] = [createLinkedList<string>(), createLinkedList<string>()]
  const [a] = [addLast(from, 'a'), addLast(from, 'b'), addLast(to, 'c')]
  moveLast(to, a)
  expect([itemsOf(from), itemsOf(to)]).toEqual([['b'], ['c', 'a']])
  leaveList(a)
  expect(itemsOf(to)).toEqual(['c'])
})

test('any of them may leave while they are given', () => {
  const list = createLinkedList<number>()
  const entries = [1, 2, 3].map((item) => addLast(list, item))
  const given: number[] = []
  for (const item of itemsOf(list)) {
    given.push(item)
    for (const entry of entries) leaveList(entry)
  }
  expect(given).toEqual([1, 2, 3])
  expect(list).toEqual(createLinkedList())
})
