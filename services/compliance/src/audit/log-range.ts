/** The part of a log that a list covers, as a range of ids: an id contains its time. */
import { idAt, timeOfId } from '@posthorn/domain/ids'
import { badField } from '@posthorn/http/errors'
import { decodeCursor } from '@posthorn/http/page'
import type { IdRange } from './read-newest.ts'

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
/** Greater than every id: an instance whose clock is behind shows what others have written. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** `from` is inclusive and `to` exclusive, so that adjoining spans share nothing. */
export function logRange({
  cursor,
  from,
  to,
}: {
  cursor?: string | undefined
  from?: string | undefined
  to?: string | undefined
}): IdRange {
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
    throw badField('from', 'must not be after to')
  const after = decodeCursor(cursor) ?? LAST_ID
  const end = to === undefined ? LAST_ID : idAt(Date.parse(to))
  return {
    fromId: from === undefined ? FIRST_ID : idAt(Date.parse(from)),
    beforeId: end < after ? end : after,
  }
}

/** When a workspace was made, by its id; of an id that was made elsewhere nothing is known. */
export function madeAt(tenantId: string): number {
  return tenantId.charAt(14) === '7' ? timeOfId(tenantId) : 0
}

/** Adds to a statement's values. @returns `$n` */
export function placer(values: unknown[]): (value: unknown) => string {
  return (value) => {
    values.push(value)
    return `$${values.length}`
  }
}
