/**
 * Verifies the webhooks that Posthorn sends, by WebCrypto: in Node, browsers' workers and edge
 * runtimes. Use the raw body, before anything parsed it.
 */
import { WebhookVerificationError } from './errors.ts'

export { WebhookVerificationError } from './errors.ts'

export interface WebhookEvent<Payload = unknown, Type = string | undefined> {
  /** The event's id; a repeated delivery has the same. */
  id: string
  /**
   * The type that the sender gave the event; an event for one destination has none. The header that
   * tells it is not a part of what is signed.
   */
  eventType: Type
  /** When it was sent. */
  timestamp: Date
  /** Joins the delivery to the request that made the event. */
  traceId: string | undefined
  payload: Payload
}

/**
 * One of the events of a map from types to payloads, as `posthorn types` writes it: once `eventType`
 * is compared, the payload has its type. Without a map the payload is unknown.
 */
export type TypedWebhookEvent<Events extends object> = keyof Events extends never
  ? WebhookEvent
  : { [Type in keyof Events]: WebhookEvent<Events[Type], Type> }[keyof Events]

export interface VerifyOptions {
  /** How far the timestamp may be from now. Default: 5 minutes. */
  toleranceMs?: number
  /** The word in the headers' names: the installation's `BRAND`. Default: `Service`. */
  brand?: string
  /** Milliseconds since 1970. Default: the system's clock. */
  now?: number
}

export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

const TOLERANCE_MS = 300_000

/**
 * @param rawBody the bytes, or the text, as they came
 * @param secrets the signing secret, or several while one is being rotated
 * @throws WebhookVerificationError where the signature, or the time, does not hold
 */
export async function verify<Events extends object = Record<never, unknown>>(
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<TypedWebhookEvent<Events>> {
  const { toleranceMs = TOLERANCE_MS, brand = 'Service', now = Date.now() } = options
  const all = typeof secrets === 'string' ? [secrets] : secrets
  // Anybody can sign with an empty one, such as a variable that is not set.
  if (all.length === 0 || all.includes('')) throw new TypeError('verify needs a signing secret')
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody
  const prefix = `x-${brand.toLowerCase()}`
  const schemes = [readService(headers, prefix), readStandard(headers)].filter(
    (one) => one !== null,
  )
  if (schemes.length === 0)
    throw new WebhookVerificationError(`the headers ${prefix}-signature and others are missing`)
  // While a secret is being rotated only the standard's header has the former's signature too.
  for (const scheme of schemes) {
    if (!(await matches(scheme, body, all))) continue
    const timestamp = new Date(Number(scheme.sentAt) * 1_000)
    if (Math.abs(now - timestamp.getTime()) > toleranceMs)
      throw new WebhookVerificationError('the timestamp is too old, or lies in the future')
    const traceId = header(headers, `${prefix}-trace-id`)
    const eventType = header(headers, `${prefix}-event-type`)
    const payload: unknown = JSON.parse(new TextDecoder().decode(body))
    return { id: scheme.id, eventType, timestamp, traceId, payload } as TypedWebhookEvent<Events>
  }
  throw new WebhookVerificationError('no signature matches')
}

interface Scheme {
  id: string
  sentAt: string
  given: string[]
  sign(secret: string, body: Uint8Array): Promise<string | null>
}

function readService(headers: HeadersLike, prefix: string): Scheme | null {
  const [id, sentAt, signature] = ['event-id', 'timestamp', 'signature'].map((name) =>
    header(headers, `${prefix}-${name}`),
  )
  if (!id || !isSeconds(sentAt) || !signature) return null
  return {
    id,
    sentAt,
    given: signature.split(/[\s,]+/, MAX_SIGNATURES),
    sign: (secret, body) => serviceSignature(secret, sentAt, body),
  }
}

function readStandard(headers: HeadersLike): Scheme | null {
  const [id, sentAt, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    header(headers, `webhook-${name}`),
  )
  if (!id || !isSeconds(sentAt) || !signature) return null
  return {
    id,
    sentAt,
    given: signature.split(/\s+/, MAX_SIGNATURES),
    sign: (secret, body) => standardSignature(secret, id, sentAt, body),
  }
}

function isSeconds(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,12}$/.test(text)
}

async function matches(
  { given, sign }: Scheme,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<boolean> {
  let found = false
  for (const secret of secrets) {
    const expected = await sign(secret, body)
    for (const one of given) found = (expected !== null && isSame(one, expected)) || found
  }
  return found
}

/** A rotation has two. */
const MAX_SIGNATURES = 10

/** What a delivery with this body carries, for tests of receivers. */
export async function sign(
  body: string,
  secret: string,
  {
    id = crypto.randomUUID(),
    brand = 'Service',
    now = Date.now(),
  }: { id?: string; brand?: string; now?: number } = {},
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000))
  const prefix = `X-${brand}`
  const bytes = new TextEncoder().encode(body)
  const standard = await standardSignature(secret, id, timestamp, bytes)
  return {
    'Content-Type': 'application/json',
    [`${prefix}-Event-ID`]: id,
    [`${prefix}-Timestamp`]: timestamp,
    [`${prefix}-Signature`]: await serviceSignature(secret, timestamp, bytes),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(standard === null ? {} : { 'webhook-signature': standard }),
  }
}

async function serviceSignature(secret: string, timestamp: string, body: Uint8Array) {
  const mac = await hmac(new TextEncoder().encode(secret), `${timestamp}.`, body)
  return `v1=${Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** null: the secret is not `whsec_` and base64. */
async function standardSignature(secret: string, id: string, timestamp: string, body: Uint8Array) {
  const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1]
  if (text === undefined) return null
  const key = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const mac = await hmac(key, `${id}.${timestamp}.`, body)
  return `v1,${btoa(String.fromCharCode(...mac))}`
}

async function hmac(
  secret: Uint8Array<ArrayBuffer>,
  prefix: string,
  body: Uint8Array,
): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const head = new TextEncoder().encode(prefix)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
}

/** Takes as long wherever they differ. */
function isSame(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let at = 0; at < expected.length; at += 1)
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}

function header(headers: HeadersLike, name: string): string | undefined {
  if (typeof (headers as Headers).get === 'function') {
    return (headers as Headers).get(name) ?? undefined
  }
  const all = headers as Readonly<Record<string, string | readonly string[] | undefined>>
  const found = Object.keys(all).find((one) => one.toLowerCase() === name)
  const value = found === undefined ? undefined : all[found]
  return typeof value === 'string' || value === undefined ? value : value[0]
}
