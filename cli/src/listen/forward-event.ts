/**
 * Posts an event to the application that the user named, signed as the installation signs: the
 * application verifies it as it will in production. The event decides over its body and its own
 * headers; where it goes is the user's word alone, and redirects are not followed.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { RESERVED_HEADERS } from '../../../libs/domain/src/reserved-headers.ts'
import { sign } from '../../../sdks/node/src/webhooks.ts'
import { reasonOf, usage } from '../failure.ts'
import { VERSION } from '../version.ts'
import type { FetchedEvent, Forwarded } from './event-loop.ts'

export interface ForwardConfig {
  target: URL
  secret: string
  brand: string
  timeoutMs: number
  /** Whether a certificate that nobody vouches for is taken, as a machine of one's own has it. */
  isInsecure: boolean
  now(): number
}

/** @param text `3000`, `localhost:3000/hooks`, or a URL */
export function targetUrl(text: string): URL {
  const full = /^\d{1,5}$/.test(text)
    ? `http://localhost:${text}/`
    : /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
      ? text
      : `http://${text}`
  const url = URL.canParse(full) ? new URL(full) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usage('where to forward to must be a port, or an http(s) URL')
  if (url.username !== '' || url.password !== '')
    throw usage('the URL to forward to must have no user and password')
  url.hash = ''
  return url
}

/** Connecting failed: the application is not there, and nothing of the event was read. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
])
/** Answers are read to their end, so that the connection can be used again, and thrown away. */
const MAX_ANSWER_BYTES = 1024 * 1024

export function createForwardEvent(config: ForwardConfig) {
  const { target, isInsecure } = config
  const isTls = target.protocol === 'https:'
  const agent = isTls
    ? new HttpsAgent({ keepAlive: true, rejectUnauthorized: !isInsecure })
    : new HttpAgent({ keepAlive: true })

  async function post(body: string, headers: Record<string, string>): Promise<number> {
    const send = isTls ? httpsRequest : httpRequest
    const signal = AbortSignal.timeout(config.timeoutMs)
    return await new Promise<number>((resolve, reject) => {
      const request = send(target, { method: 'POST', agent, headers, signal }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > MAX_ANSWER_BYTES) response.destroy()
        })
        response.on('error', reject)
        response.on('close', () => resolve(response.statusCode ?? 0))
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        // A kept connection that the application closed while the request was on its way to it.
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve(post(body, headers))
        else reject(error)
      })
      request.end(body)
    })
  }

  return {
    async forward(event: FetchedEvent, attempt: number): Promise<Forwarded> {
      const startedAt = performance.now()
      const durationMs = (): number => Math.round(performance.now() - startedAt)
      try {
        const statusCode = await post(event.payload, await headersOf(config, event, attempt))
        const outcome = statusCode >= 200 && statusCode < 300 ? 'accepted' : 'refused'
        return { outcome, statusCode, durationMs: durationMs() }
      } catch (error) {
        return { ...classify(error, config.timeoutMs), durationMs: durationMs() }
      }
    },
    close: () => agent.destroy(),
  }
}

function classify(error: unknown, timeoutMs: number) {
  const { name, code, errors } = error as {
    name?: string
    code?: string
    errors?: { code?: string }[]
  }
  const isTimeout = name === 'AbortError' || name === 'TimeoutError'
  if (isTimeout)
    return { outcome: 'failed' as const, error: `no answer within ${timeoutMs / 1_000} s` }
  const outcome = UNREACHABLE.has(code ?? errors?.[0]?.code ?? '') ? 'unreachable' : 'failed'
  return { outcome: outcome as 'unreachable' | 'failed', error: reasonOf(error) }
}

async function headersOf(
  { brand, secret, now }: ForwardConfig,
  event: FetchedEvent,
  attempt: number,
): Promise<Record<string, string>> {
  const prefix = `x-${brand.toLowerCase()}-`
  const own = Object.entries(event.headers).filter(([name]) => {
    const lower = name.toLowerCase()
    return !RESERVED_HEADERS.has(lower) && !lower.startsWith(prefix)
  })
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': `${brand}/${VERSION} (posthorn listen)`,
  }
  for (const [name, value] of own) {
    const same = Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase())
    headers[same ?? name] = value
  }
  const { 'Content-Type': _, ...signed } = await sign(event.payload, secret, {
    id: event.id,
    brand,
    now: now(),
  })
  Object.assign(headers, signed)
  headers[`X-${brand}-Attempt`] = String(attempt)
  if (event.eventType !== null) headers[`X-${brand}-Event-Type`] = event.eventType
  return { ...headers, 'Content-Length': String(Buffer.byteLength(event.payload)) }
}
