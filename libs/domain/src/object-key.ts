/**
 * The name of an event's object in a storage sink: `<prefix>/<event type or
 * "direct">/<yyyy>/<mm>/<dd>/<event id>.json`. It follows from the event alone, so each attempt of
 * a delivery writes the same object. Pure.
 *
 * All tenants share one folder for files, so the tenant's own folder comes first there and no
 * prefix leads into another tenant's. A bucket is the customer's own and has nothing before the
 * prefix.
 *
 * Two endpoints with the same bucket and prefix write the same objects. To keep them apart, give
 * each a prefix of its own.
 */

export interface ObjectIdentity {
  prefix: string | undefined
  /** null: a direct event. */
  eventType: string | null
  eventId: string
  /** When the event was created, in ms since 1970. */
  createdAt: number
}

const DIRECT = 'direct'
/** S3 allows 1,024 bytes in all; type, date and id need up to 255 + 12 + 41. */
const MAX_PREFIX_BYTES = 512
/** File systems allow this much for one name. */
const MAX_SEGMENT_BYTES = 255

/**
 * Why a prefix can't be used; null when it can. Slashes at its ends and doubled slashes do not
 * count.
 */
export function prefixProblem(prefix: string): string | null {
  if (!prefix.isWellFormed() || /[\p{Cc}\\]/u.test(prefix)) {
    return 'must have no control characters and no backslash'
  }
  const segments = segmentsOf(prefix)
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return 'must have no segment . or ..'
  }
  if (bytesOf(segments.join('/')) > MAX_PREFIX_BYTES) {
    return `must be at most ${MAX_PREFIX_BYTES} bytes`
  }
  if (segments.some((segment) => bytesOf(segment) > MAX_SEGMENT_BYTES)) {
    return `must have segments of at most ${MAX_SEGMENT_BYTES} bytes`
  }
  return null
}

/**
 * Throws for a prefix that `prefixProblem` refuses: whatever was stored, no key leads out of its
 * place. The event type is one segment: characters that would make it two, or lead upwards, become
 * `_`.
 */
export function objectKey({ prefix = '', eventType, eventId, createdAt }: ObjectIdentity): string {
  const problem = prefixProblem(prefix)
  if (problem !== null) throw new Error(`the prefix ${problem}`)
  const [date = ''] = new Date(createdAt).toISOString().split('T')
  const segments = [...segmentsOf(prefix), segmentOf(eventType ?? DIRECT), ...date.split('-')]
  return `${segments.join('/')}/${segmentOf(eventId)}.json`
}

/** The path of the object below `STORAGE_DIR`. */
export function filePath(tenantId: string, identity: ObjectIdentity): string {
  return `${segmentOf(tenantId)}/${objectKey(identity)}`
}

function segmentsOf(prefix: string): string[] {
  return prefix.split('/').filter((segment) => segment !== '')
}

function segmentOf(word: string): string {
  const safe = word.replaceAll(/[^\w.:-]/g, '_').slice(0, MAX_SEGMENT_BYTES)
  return /^\.*$/.test(safe) ? '_'.repeat(Math.max(1, safe.length)) : safe
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
