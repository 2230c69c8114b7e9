import { expect, test } from '@jest/globals'
import { createQuotaBook } from './quota-book.ts'

const NOVEMBER = 682
const DECEMBER = 683

test('a tenant is not known before it is read, and is asked for once it is wanted', () => {
  const book = createQuotaBook()
  book.add('a', NOVEMBER)
  expect(book.begin()).toEqual([])
  expect(book.used('a', NOVEMBER)).toBeUndefined()
  const questions = book.begin()
  expect(questions).toEqual([{ tenantId: 'a', month: NOVEMBER, unread: 0 }])
  book.add('a', NOVEMBER)
  book.finish(questions, new Map([['a', 40]]))
  expect(book.used('a', NOVEMBER)).toBe(41)
})

test('what was counted before a reading is in it, and what was counted during it is not', () => {
  const book = createQuotaBook()
  book.used('a', NOVEMBER)
  book.finish(book.begin(), new Map([['a', 10]]))
  book.add('a', NOVEMBER)
  book.add('a', NOVEMBER)
  book.used('a', NOVEMBER)
  const questions = book.begin()
  book.add('a', NOVEMBER)
  // The two of this process and five of another one.
  book.finish(questions, new Map([['a', 17]]))
  expect(book.used('a', NOVEMBER)).toBe(18)
})

test('a reading that fails is made up for by the next', () => {
  const book = createQuotaBook()
  book.used('a', NOVEMBER)
  book.finish(book.begin(), new Map([['a', 10]]))
  book.used('a', NOVEMBER)
  book.add('a', NOVEMBER)
  book.fail(book.begin())
  book.add('a', NOVEMBER)
  expect(book.used('a', NOVEMBER)).toBe(12)
  const questions = book.begin()
  expect(questions).toEqual([{ tenantId: 'a', month: NOVEMBER, unread: 2 }])
  book.finish(questions, new Map([['a', 12]]))
  expect(book.used('a', NOVEMBER)).toBe(12)
})

test('only who was asked about since is read again', () => {
  const book = createQuotaBook()
  for (const tenantId of ['a', 'b']) book.used(tenantId, NOVEMBER)
  book.finish(book.begin(), new Map())
  book.add('b', NOVEMBER)
  book.used('b', NOVEMBER)
  expect(book.begin().map(({ tenantId }) => tenantId)).toEqual(['b'])
  expect(book.used('a', NOVEMBER)).toBe(0)
})

test('a new month begins with nothing, and a late event of the former one changes nothing', () => {
  const book = createQuotaBook()
  book.used('a', NOVEMBER)
  const november = book.begin()
  book.finish(november, new Map([['a', 50_000]]))
  expect(book.used('a', DECEMBER)).toBe(0)
  book.add('a', NOVEMBER)
  book.add('a', DECEMBER)
  book.finish(november, new Map([['a', 50_001]]))
  expect(book.used('a', DECEMBER)).toBe(1)
})

test('a tenant that was dropped is read again', () => {
  const book = createQuotaBook(2)
  for (const tenantId of ['a', 'b']) book.used(tenantId, NOVEMBER)
  book.finish(book.begin(), new Map([['a', 3]]))
  book.used('c', NOVEMBER)
  expect(book.used('a', NOVEMBER)).toBeUndefined()
})
