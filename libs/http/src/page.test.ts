import { expect, test } from '@jest/globals'
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import { decodeCursor, encodeCursor, toPage } from './page.ts'

test('a cursor gives back its id', () => {
  const id = newId()
  expect(decodeCursor(encodeCursor(id))).toBe(id)
  expect(encodeCursor(id)).toMatch(/^[\w-]{22}$/)
  expect(decodeCursor(undefined)).toBeNull()
})

test.each([
  '',
  'x',
  'a'.repeat(21),
  `${'a'.repeat(21)}b`,
  `${encodeCursor(newId())}=`,
  `${encodeCursor(newId())}AA`,
  '\0',
  '../..',
])('refuses %j, naming the parameter', (cursor) => {
  const refusal = (() => {
    try {
      return decodeCursor(cursor)
    } catch (error) {
      return error
    }
  })()
  expect(refusal).toBeInstanceOf(ApiError)
  expect(refusal).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'cursor' }] })
})

test('a page holds no more than asked for, and leads to the next only where there is one', () => {
  const rows = [newId(), newId(), newId()].map((id) => ({ id }))
  const page = toPage(rows, 2, ({ id }) => id)
  expect(page.data).toEqual([rows[0]?.id, rows[1]?.id])
  expect(page.pagination.hasMore).toBe(true)
  expect(decodeCursor(page.pagination.cursor ?? undefined)).toBe(rows[1]?.id)
  expect(toPage(rows, 3, ({ id }) => id).pagination).toEqual({ hasMore: false, cursor: null })
  expect(toPage([], 3, ({ id }) => id)).toEqual({
    data: [],
    pagination: { hasMore: false, cursor: null },
  })
})
