/**
 * The SDK's requests go out by egress, whose rules for addresses, names and time apply to them as
 * to any delivery. The SDK sees what egress keeps of a response (16 KiB), into which an error
 * always fits.
 */
import type { Egress, SendResult } from '@posthorn/egress/egress'

export interface S3Route {
  owner: string
  timeoutMs: number
  allowedCidrs: readonly string[] | undefined
  blockedCidrs: readonly string[] | undefined
}

/** As the SDK hands over a request; its `host` is what egress makes of the URL. */
interface S3Request {
  method: string
  protocol: string
  hostname: string
  port?: number
  path: string
  query?: Record<string, string | string[] | null>
  headers: Record<string, string>
  body?: unknown
}

/**
 * What the SDK passes on from its caller; `onSent` hears how a request ended before the SDK does.
 */
export interface S3SendOptions {
  onSent?: (sent: SendResult) => void
}

interface S3Response {
  response: { statusCode: number; headers: Record<string, string>; body: Uint8Array }
}

export interface S3Handler {
  handle(request: S3Request, options?: S3SendOptions): Promise<S3Response>
}

export function createS3Handler(send: Egress['send'], route: S3Route): S3Handler {
  return {
    async handle(request, { onSent } = {}) {
      const { host: _, ...headers } = request.headers
      const { method } = request
      const sent = await send({
        url: urlOf(request),
        method,
        headers,
        body: bodyOf(request.body),
        ...route,
      })
      onSent?.(sent)
      if (sent.outcome === 'error') throw new Error(`${sent.category}: ${sent.detail}`)
      const { statusCode, headers: answered, body } = sent
      return { response: { statusCode, headers: answered, body: Buffer.from(body) } }
    },
  }
}

function urlOf({ protocol, hostname, port, path, query = {} }: S3Request): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => (one === null ? escape(name) : `${escape(name)}=${escape(one)}`)),
  )
  const host = port === undefined ? hostname : `${hostname}:${port}`
  return `${protocol}//${host}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

/** RFC 3986, as the signature has it: `encodeURIComponent` leaves these five as they are. */
function escape(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function bodyOf(body: unknown): string | Buffer {
  if (body === undefined) return ''
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body)
  throw new Error('a request to a store has its body in memory')
}
