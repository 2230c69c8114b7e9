/**
 * The headers that an attempt was sent with. They are not stored with each attempt, so they are
 * rebuilt from what is stored. Signatures and values that look secret are masked. Pure.
 *
 * Two things have no history and are shown as they are now: an event's headers, which an edit may
 * have changed, and whether the secret allows the Standard Webhooks signature. The timestamp is the
 * attempt's start, some milliseconds before the bytes went out.
 */
import { timeOfId } from '@posthorn/domain/ids'
import type { DeliveryHeaderNames } from '@posthorn/domain/brand'

export const MASK = '***'

export interface SentWith {
  names: DeliveryHeaderNames
  /** `Posthorn/<version>` */
  userAgent: string
  attemptId: string
  eventId: string
  deliveryId: string
  attemptNumber: number
  eventType: string | null
  traceId: string | null
  /** The custom headers of the endpoint's version at that time; null: none. */
  customHeaders: Readonly<Record<string, string>> | null
  eventHeaders: Readonly<Record<string, string>> | null
  /** Whether the secret allows the Standard Webhooks signature. Its three headers go together. */
  hasStandardSignature: boolean
}

/**
 * An event's own header wins over its endpoint's, and the headers that identify and sign the
 * attempt win over both.
 */
export function rebuildRequestHeaders(sent: SentWith): Record<string, string> {
  const byName = new Map<string, readonly [name: string, value: string]>()
  const ours = { 'Content-Type': 'application/json', 'User-Agent': sent.userAgent }
  const layers = [ours, sent.customHeaders, sent.eventHeaders]
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {})) {
      byName.set(name.toLowerCase(), [name, looksSecret(name, value) ? MASK : value])
    }
  }
  for (const [name, value] of ownHeaders(sent)) byName.set(name.toLowerCase(), [name, value])
  return Object.fromEntries(byName.values())
}

function ownHeaders(sent: SentWith): [name: string, value: string][] {
  const { names } = sent
  const timestamp = String(Math.floor(timeOfId(sent.attemptId) / 1_000))
  const headers: [string, string | null][] = [
    [names.eventId, sent.eventId],
    [names.deliveryId, sent.deliveryId],
    [names.attempt, String(sent.attemptNumber)],
    [names.eventType, sent.eventType],
    [names.timestamp, timestamp],
    [names.signature, MASK],
    [names.traceId, sent.traceId],
  ]
  if (sent.hasStandardSignature) {
    headers.push(
      ['webhook-id', sent.eventId],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', MASK],
    )
  }
  return headers.filter((header): header is [string, string] => header[1] !== null)
}

const SECRET_NAME =
  /auth(?!or$)|cookie|secret|token|passw|signature|credential|private|session|(?:api|access)[-_]?key|[-_]key$|^key$/i
/** Schemes of Authorization, under any name, and the prefixes of well-known keys and of JWTs. */
const SECRET_VALUE =
  /^(?:basic|bearer|digest) |^(?:whsec|sk|rk|pk|ghp|gho|xox[a-z]|ph)[_-]|^eyJ[\w-]+\./i

function looksSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value)
}
