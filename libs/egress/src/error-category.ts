/**
 * Translates what Node, OpenSSL and undici throw into the category that an attempt is recorded
 * with.
 */
import type { ErrorCategory } from '@posthorn/domain/classify-attempt'

export type SendErrorCategory = Extract<
  ErrorCategory,
  'timeout' | 'dns' | 'tls' | 'refused' | 'reset' | 'blocked' | 'internal'
>

export interface SendFailure {
  category: SendErrorCategory
  detail: string
}

/** We ran out of something, so it must not count against the endpoint. */
const OUR_OWN = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
])

const RESET: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was being sent',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response ended before its Content-Length',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are too large',
}

export function dnsFailure(hostname: string, code: string): SendFailure {
  return { category: 'dns', detail: `${hostname} could not be resolved (${code || 'no answer'})` }
}

export function connectFailure(where: string, code: string): SendFailure {
  if (OUR_OWN.has(code)) return { category: 'internal', detail: `no socket for ${where} (${code})` }
  if (code === 'ETIMEDOUT') return { category: 'timeout', detail: `${where} did not answer` }
  if (code === 'ECONNRESET') return { category: 'reset', detail: `${where} reset the connection` }
  if (code === 'ECONNREFUSED') return { category: 'refused', detail: `${where} refused` }
  return { category: 'refused', detail: `${where} is not reachable (${code})` }
}

export function tlsFailure(code: string, message: string): SendFailure {
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return { category: 'tls', detail: 'the connection was closed during the TLS handshake' }
  }
  return { category: 'tls', detail: firstLine(code ? `${message} (${code})` : message) }
}

/**
 * What went wrong on an open connection. Before the request was being sent, only the request itself
 * can be at fault. From then on, an error without a better name is the other side's doing: what it
 * sent was no HTTP.
 */
export function exchangeFailure(code: string, message: string, sending: boolean): SendFailure {
  const reset = RESET[code]
  if (reset) return { category: 'reset', detail: reset }
  // TLS 1.3 refuses a missing or wrong client certificate only after the handshake is over for us.
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return tlsFailure(code, message)
  if (code === 'ETIMEDOUT') return { category: 'timeout', detail: 'the connection timed out' }
  const category = sending && !OUR_OWN.has(code) ? 'reset' : 'internal'
  return { category, detail: firstLine(code ? `${message} (${code})` : message) }
}

/**
 * OpenSSL's messages are `<thread>:error:<number>:<library>:<function>:<reason>:<source
 * file>:<line>:`.
 */
function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? ''
  const openssl = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(line)
  return openssl?.[1] ?? line
}
