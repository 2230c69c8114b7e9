/**
 * The headers of an attempt: those that sender and endpoint add, below those that identify and sign
 * it. Names are compared without regard to case: the event's value wins over the endpoint's, and
 * ours over both, also where an older version of the rules let a reserved name be stored.
 * `User-Agent` and `Content-Type` are ours only where neither says otherwise.
 */
import type { DeliveryHeaderNames } from '@posthorn/domain/brand'
import { RESERVED_HEADERS } from '@posthorn/domain/reserved-headers'
import { type SigningKeys, serviceSignature, standardSignature } from '@posthorn/domain/signature'

export type Headers = Record<string, string>

/** The secrets of a target, or the keys that were made of them. */
export interface Secrets<Secret = string> {
  current: Secret
  /** While the grace of a rotation lasts. */
  previous: Secret | null
  /** Epoch ms. */
  previousUntil: number
}

export interface AttemptHeaders {
  names: DeliveryHeaderNames
  userAgent: string
  /** The endpoint's, as `baseHeaders` made them. */
  base: Headers
  event: Headers | null
  secrets: Secrets<string | SigningKeys>
  eventId: string
  deliveryId: string
  eventType: string | null
  traceId: string
  /** W3C's; null: the event is of no trace. */
  traceparent: string | null
  attemptNumber: number
  body: string
  /** Epoch ms. */
  now: number
}

/** Whoever sets it spells it so, so that one replaces the other. */
const USER_AGENT = 'User-Agent'
const TRACEPARENT = 'traceparent'

/** Those of endpoints that add none. */
const BASE_HEADERS: Headers = Object.freeze({ 'Content-Type': 'application/json' })

/** An endpoint's own headers, prepared once for all of its attempts. */
export function baseHeaders(custom: Headers | null, names: DeliveryHeaderNames): Headers {
  if (custom === null) return BASE_HEADERS
  const base: Headers = { ...BASE_HEADERS }
  override(base, custom, names)
  return base
}

export function attemptHeaders(input: AttemptHeaders): Headers {
  const { names, secrets, eventId, body } = input
  const timestamp = Math.floor(input.now / 1_000)
  const headers: Headers = { [USER_AGENT]: input.userAgent, ...input.base }
  if (input.event !== null) override(headers, input.event, names)
  headers[names.eventId] = eventId
  headers[names.deliveryId] = input.deliveryId
  headers[names.attempt] = String(input.attemptNumber)
  if (input.eventType !== null) headers[names.eventType] = input.eventType
  headers[names.timestamp] = String(timestamp)
  headers[names.signature] = serviceSignature(secrets.current, timestamp, body)
  headers[names.traceId] = input.traceId
  // What the sender set for this event is meant.
  if (input.traceparent !== null && !has(headers, TRACEPARENT))
    headers[TRACEPARENT] = input.traceparent
  const standard = standardSignatures(secrets, input.now, eventId, timestamp, body)
  if (standard !== '') {
    headers['webhook-id'] = eventId
    headers['webhook-timestamp'] = String(timestamp)
    headers['webhook-signature'] = standard
  }
  return headers
}

function standardSignatures(
  secrets: Secrets<string | SigningKeys>,
  now: number,
  id: string,
  timestamp: number,
  body: string,
): string {
  const current = standardSignature(secrets.current, id, timestamp, body)
  if (secrets.previous === null || now >= secrets.previousUntil) return current ?? ''
  const previous = standardSignature(secrets.previous, id, timestamp, body)
  return [current, previous].filter((signature) => signature !== null).join(' ')
}

function has(headers: Headers, name: string): boolean {
  return Object.keys(headers).some((present) => present.toLowerCase() === name)
}

function override(headers: Headers, over: Headers, names: DeliveryHeaderNames): void {
  const ours = names.eventId.slice(0, names.eventId.length - 'Event-ID'.length).toLowerCase()
  for (const name of Object.keys(over)) {
    const lower = name.toLowerCase()
    if (RESERVED_HEADERS.has(lower) || lower.startsWith(ours)) continue
    for (const present of Object.keys(headers)) {
      if (present.toLowerCase() === lower) delete headers[present]
    }
    headers[lower === 'user-agent' ? USER_AGENT : name] = over[name] as string
  }
}
