/**
 * The trace that an event belongs to, as W3C's `traceparent` carries it. The spans of an event need
 * no place to be kept in: their ids follow from the ids of the event and of its attempts. Pure.
 */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** The caller's span; null: the trace begins here. */
  parentId: string | null
  isSampled: boolean
}

/** What a later version may add after the four fields that are known is not kept. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** A longer header is nobody's: version 00 has 55 characters. */
const MAX_LENGTH = 256
const ZEROS = /^0+$/

/**
 * @returns the header in the form of version 00; null: there is none, or one that must be ignored
 */
export function parseTraceparent(given: string | undefined): string | null {
  if (given === undefined || given.length > MAX_LENGTH) return null
  const parts = TRACEPARENT.exec(given.trim())
  if (parts === null) return null
  const [, version = '', traceId = '', parentId = '', flags = '', more] = parts
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (ZEROS.test(traceId) || ZEROS.test(parentId)) return null
  return `00-${traceId}-${parentId}-${flags}`
}

/** @param traceparent as `parseTraceparent` answers it */
export function contextOf(traceparent: string): TraceContext {
  return {
    traceId: traceparent.slice(3, 35),
    parentId: traceparent.slice(36, 52),
    isSampled: (Number.parseInt(traceparent.slice(53), 16) & 1) === 1,
  }
}

/**
 * The trace of an event that came without one: its id is the event's.
 * @param ratio the share of traces that is sampled; the random end of the id decides
 */
export function ownContext(eventId: string, ratio: number): TraceContext {
  const traceId = eventId.replaceAll('-', '')
  const share = Number.parseInt(traceId.slice(-8), 16) / 0x1_0000_0000
  return { traceId, parentId: null, isSampled: share < ratio }
}

/** The random end of a UUIDv7, whose variant is never 0. */
export function spanIdOf(id: string): string {
  return id.slice(19, 23) + id.slice(24)
}

/** An event's fan-out is another span than its acceptance: a variant that no UUID has. */
export function fanOutSpanIdOf(eventId: string): string {
  return `1${spanIdOf(eventId).slice(1)}`
}

export function toTraceparent({ traceId, isSampled }: TraceContext, spanId: string): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** What an attempt sends on where nothing is exported: the caller's flags stay as they are. */
export function childTraceparent(traceparent: string, attemptId: string): string {
  return `${traceparent.slice(0, 36)}${spanIdOf(attemptId)}${traceparent.slice(52)}`
}
