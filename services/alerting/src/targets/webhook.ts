/**
 * A webhook of the customer's: the JSON unchanged, signed as a delivery where there is a secret.
 */
import { randomUUID } from 'node:crypto'
import { brandOf, deliveryHeaderNames } from '@posthorn/domain/brand'
import { RESERVED_HEADERS } from '@posthorn/domain/reserved-headers'
import { serviceSignature, standardSignature } from '@posthorn/domain/signature'
import type { Notification, WebhookTarget } from './target.ts'

export function webhookBody({ payload, fields }: Notification): string {
  return payload ?? JSON.stringify(fields)
}

/**
 * @param now epoch ms
 * @returns the customer's headers, and above them those that identify and sign
 */
export function webhookHeaders(
  { id }: Notification,
  { headers = {}, secret }: WebhookTarget['config'],
  body: string,
  { brand, now }: { brand: string; now: number },
): Record<string, string> {
  const names = deliveryHeaderNames(brandOf(brand))
  const timestamp = Math.floor(now / 1_000)
  const all: Record<string, string> = { 'content-type': 'application/json' }
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    const isOurs = Object.values(names).some((ours) => ours.toLowerCase() === lower)
    if (!isOurs && !RESERVED_HEADERS.has(lower)) all[lower] = value
  }
  if (secret === undefined) return all
  const eventId = id ?? randomUUID()
  all[names.eventId] = eventId
  all[names.timestamp] = String(timestamp)
  all[names.signature] = serviceSignature(secret, timestamp, body)
  const standard = standardSignature(secret, eventId, timestamp, body)
  if (standard !== null) {
    all['webhook-id'] = eventId
    all['webhook-timestamp'] = String(timestamp)
    all['webhook-signature'] = standard
  }
  return all
}
