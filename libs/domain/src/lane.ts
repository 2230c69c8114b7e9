/**
 * The lane of a FIFO endpoint that a delivery takes: one lane for all deliveries, or one for each
 * value at its partition key. Values that differ only in what JSON.parse drops, such as 1.0 and 1,
 * share a lane, which orders more than asked for and never less.
 */
import { createHash } from 'node:crypto'
import { isValueTooDeep } from './nesting.ts'

/** The lane of an endpoint without a partition key. No JSON text is empty. */
export const ONLY_LANE = ''
/** The lane of payloads in which the partition key finds nothing. No JSON text is spelled so. */
export const MISSING_LANE = 'missing'
/**
 * The one lane of all values nested deeper than payloads may be today. No JSON text is spelled so.
 */
export const DEEP_LANE = 'deep'

/**
 * A lane is part of a key of three columns: at most 800 bytes of UTF-8, well below the 2,704 of an
 * index entry.
 */
const MAX_CHARACTERS = 200

/** @param found what the partition key finds in the payload */
export function laneOf(found: readonly unknown[]): string {
  if (found.length === 0) return MISSING_LANE
  const value = found.length === 1 ? found[0] : found
  // JSON.stringify recurses into each level: an event from before the limit would exhaust the call
  // stack.
  if (isValueTooDeep(value)) return DEEP_LANE
  const text = JSON.stringify(value)
  if (text.length <= MAX_CHARACTERS) return text
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
