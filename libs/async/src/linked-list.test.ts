import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { LinkedList, type ListEntry } from './linked-list.ts'

test('holds what was added and has not left, in the order of arrival', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('add' as const) }),
    fc.record({ kind: fc.constantFrom('leave' as const, 'take' as const), at: fc.nat(20) }),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const list = new LinkedList<number>()
      const entries: ListEntry<number>[] = []
      let expected: number[] = []
      for (const one of changes) {
        if (one.kind === 'add') {
          expected.push(entries.length)
          entries.push(list.add(entries.length))
          continue
        }
        const entry = entries[one.at]
        if (entry === undefined) continue
        expected = expected.filter((item) => item !== entry.item)
        if (one.kind === 'leave') entry.leave()
        else {
          list.take(entry)
          expected.push(entry.item)
        }
      }
      expect([...list]).toEqual(expected)
      expect(list.first()?.item).toBe(expected[0])
      expect(list.isEmpty()).toBe(expected.length === 0)
    }),
  )
})

test('moves an entry from one list to another', () => {
  const [from, to] = [new LinkedList<string>(), new LinkedList<string>()]
  const [a] = [from.add('a'), from.add('b'), to.add('c')]
  to.take(a)
  expect([[...from], [...to]]).toEqual([['b'], ['c', 'a']])
  a.leave()
  expect([...to]).toEqual(['c'])
})

test('any of them may leave while they are given', () => {
  const list = new LinkedList<number>()
  const entries = [1, 2, 3].map((item) => list.add(item))
  const given: number[] = []
  for (const item of list) {
    given.push(item)
    for (const entry of entries) entry.leave()
  }
  expect(given).toEqual([1, 2, 3])
  expect(list.isEmpty()).toBe(true)
})
