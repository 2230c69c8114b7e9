/**
 * Pages by key, newest first, over tables whose ids are UUIDv7. One row more than the page is read,
 * to know whether there is another page.
 */
import type { PageQuery } from '@posthorn/contracts/fields'
import { decodeCursor } from '@posthorn/http/page'

interface KeyedPage<Where> {
  where: { AND: [Where, { id?: { lt: string } }] }
  orderBy: { id: 'desc' }
  take: number
}

export function pageOf<Where>(where: Where, query: PageQuery): KeyedPage<Where> {
  const after = decodeCursor(query.cursor)
  return {
    where: { AND: [where, after === null ? {} : { id: { lt: after } }] },
    orderBy: { id: 'desc' },
    take: query.limit + 1,
  }
}
