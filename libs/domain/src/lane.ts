/**
 * Which lane of a FIFO endpoint a delivery takes: one lane for all, or one for each value at its partition key. Values
 * that differ only in what JSON.parse forgets, such as 1.0 and 1, share a lane: more order than asked for, never less.
 */
import { createHash } from 'node:crypto'
import { isValueTooDeep } from './nesting.ts'

/** Of an endpoint without a partition key. No JSON text is empty. */
export const ONLY_LANE = ''
/** Of payloads in which the partition key finds nothing. No JSON text reads so. */
export const MISSING_LANE = 'missing'
/** For values nested deeper than any payload may be today, all of them together. No JSON text reads so. */
export const DEEP_LANE = 'deep'

/** A lane is part of a key of three: 800 bytes of UTF-8 at most, well below the 2,704 that an index entry may have. */
const MAX_CHARACTERS = 200

/** @param found what the partition key finds in the payload */
export function laneOf(found: readonly unknown[]): string {
  if (found.length === 0) return MISSING_LANE
  const value = found.length === 1 ? found[0] : found
  // JSON.stringify calls itself for each level: an event from before the limit would exhaust the call stack.
  if (isValueTooDeep(value)) return DEEP_LANE
  const text = JSON.stringify(value)
  if (text.length <= MAX_CHARACTERS) return text
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
