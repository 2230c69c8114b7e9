/** Pages of a list, as the API gives them. */

export interface Page<Row> {
  data: Row[]
  pagination: { hasMore: boolean; cursor: string | null }
}

/**
 * The next page that has any rows, or the last one. A search stops after a bounded time, and a
 * page may then have no row though more are to come: its cursor says where to go on.
 */
export async function readPage<Row>(
  load: (cursor: string | undefined) => Promise<Page<Row>>,
  cursor: string | undefined,
): Promise<Page<Row>> {
  let page = await load(cursor)
  for (let at = page.pagination.cursor; at && !page.data[0]; at = page.pagination.cursor)
    page = await load(at)
  return page
}
