/**
 * Whether a request that changes something may have been sent by a page of another origin, in the
 * name of somebody who is signed in. The rule is that of Go's net/http CrossOriginProtection;
 * besides, `Origin: null` is refused. What no browser has sent carries neither header and passes:
 * it has no cookies of anybody else.
 */
import type { IncomingHttpHeaders } from 'node:http'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** @param publicOrigin where people reach this installation: scheme, host and port */
export function isSameOrigin(
  method: string,
  headers: IncomingHttpHeaders,
  publicOrigin: string,
): boolean {
  if (SAFE.has(method)) return true
  const { 'sec-fetch-site': site, origin, host } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined || origin === publicOrigin) return true
  // A browser that tells by Sec-Fetch-Site that both are one origin knows it better than Host,
  // which a proxy may have changed.
  if (site === 'same-origin') return origin !== 'null'
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host
}
