/**
 * The attempts that a list covers, as a range of ids: an id contains the time, so partitions
 * outside of the range are not read. Pure.
 */
import { type DeliveryListQuery, RANGES } from '@posthorn/contracts/deliveries'
import { idAt } from '@posthorn/domain/ids'

const DEFAULT_RANGE = '24h'
/**
 * Greater than every id: without an `end`, attempts are shown even when another process's clock is
 * ahead of ours.
 */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export type TimeRange =
  | { outcome: 'ok'; fromId: string; beforeId: string }
  | { outcome: 'invalid'; path: 'start'; message: string }

type RangeQuery = Pick<DeliveryListQuery, 'range' | 'start' | 'end'>

/**
 * `start` is inclusive and `end` exclusive, so that adjoining ranges share nothing. A `start` alone
 * reaches until now, an `end` alone goes back by `range`, and `range` without either goes back from
 * now.
 */
export function toTimeRange({ range, start, end }: RangeQuery, now: number): TimeRange {
  const endMs = end === undefined ? now : Date.parse(end)
  const startMs = start === undefined ? endMs - RANGES[range ?? DEFAULT_RANGE] : Date.parse(start)
  if (start !== undefined && end !== undefined && startMs > endMs) {
    return { outcome: 'invalid', path: 'start', message: 'must not be after end' }
  }
  return {
    outcome: 'ok',
    fromId: idAt(startMs),
    beforeId: end === undefined ? LAST_ID : idAt(endMs),
  }
}
