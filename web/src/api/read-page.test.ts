/** A list goes on searching where a page of it came back without rows. */
import { expect, test } from '@jest/globals'
import { type Page, readPage } from './read-page.ts'

function listOf(pages: Record<string, Page<number>>) {
  const asked: (string | undefined)[] = []
  const load = async (cursor: string | undefined): Promise<Page<number>> => {
    asked.push(cursor)
    return pages[cursor ?? 'first'] as Page<number>
  }
  return { asked, load }
}
const page = (data: number[], cursor: string | null): Page<number> => ({
  data,
  pagination: { hasMore: cursor !== null, cursor },
})

test('a page without rows searches on where its cursor says, until there are some', async () => {
  const { asked, load } = listOf({ first: page([], 'a'), a: page([], 'b'), b: page([1], 'c') })
  expect(await readPage(load, undefined)).toEqual(page([1], 'c'))
  expect(asked).toEqual([undefined, 'a', 'b'])
})

test('a page with rows is shown at once, however few they are', async () => {
  const { asked, load } = listOf({ a: page([1], 'b') })
  expect(await readPage(load, 'a')).toEqual(page([1], 'b'))
  expect(asked).toEqual(['a'])
})

test('the end of a list without any rows is its last page', async () => {
  const { asked, load } = listOf({ first: page([], 'a'), a: page([], null) })
  expect(await readPage(load, undefined)).toEqual(page([], null))
  expect(asked).toEqual([undefined, 'a'])
})
