/**
 * The one word that names on the wire carry (`X-Service-*`, `service_session`). `BRAND` changes all
 * of them together.
 */
export interface Brand {
  /** As in `X-Service-Event-ID`. */
  title: string
  /** As in `service_session`. */
  lower: string
}

export function brandOf(word: string): Brand {
  return { title: word.charAt(0).toUpperCase() + word.slice(1), lower: word.toLowerCase() }
}

export interface DeliveryHeaderNames {
  eventId: string
  deliveryId: string
  attempt: string
  eventType: string
  timestamp: string
  signature: string
  traceId: string
}

export function deliveryHeaderNames(brand: Brand): DeliveryHeaderNames {
  const named = (rest: string): string => `X-${brand.title}-${rest}`
  return {
    eventId: named('Event-ID'),
    deliveryId: named('Delivery-ID'),
    attempt: named('Attempt'),
    eventType: named('Event-Type'),
    timestamp: named('Timestamp'),
    signature: named('Signature'),
    traceId: named('Trace-Id'),
  }
}
