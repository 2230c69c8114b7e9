/**
 * Pages by key: the cursor is the id of the last row of the page, encoded so that nobody relies on
 * its content.
 */
import { isUuid } from '@posthorn/domain/ids'
import { badField } from './errors.ts'

export interface Page<Item> {
  data: Item[]
  pagination: { hasMore: boolean; cursor: string | null }
}

export function encodeCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

/** The id that the page starts after; null without a cursor. */
export function decodeCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const hex = Buffer.from(cursor, 'base64url').toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (!isUuid(id) || encodeCursor(id) !== cursor) {
    throw badField('cursor', 'must be a cursor as an earlier page gave it')
  }
  return id
}

/** @param rows one more than `limit`, where there are more */
export function toPage<Row extends { id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit
  const cursor = hasMore && last !== undefined ? encodeCursor(last.id) : null
  return { data: shown.map(toItem), pagination: { hasMore, cursor } }
}
