/** Cookies: read from a request, written for an answer. */

/** More than that is no browser of ours; a request's headers have 16 KiB in all. */
const MAX_COOKIES = 100

export interface CookieOptions {
  /** Seconds until the browser forgets it. */
  maxAgeSeconds: number
  /** Sent over https alone. */
  secure: boolean
  sameSite?: 'Lax' | 'None'
  path?: string
  /** One for each site that embeds ours: kept where a browser blocks other sites' cookies. */
  partitioned?: boolean
}

/**
 * The value of a cookie; undefined: it was not sent. Of several with one name the first counts, as
 * the browser puts the one with the most specific path there.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  for (const pair of header.split(';', MAX_COOKIES)) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** A value of `Set-Cookie`. No script of a page can read it. */
export function setCookie(name: string, value: string, options: CookieOptions): string {
  const { maxAgeSeconds, secure, sameSite = 'Lax', path = '/', partitioned } = options
  const attributes = [
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
  ]
  if (secure) attributes.push('Secure')
  if (partitioned === true) attributes.push('Partitioned')
  return [`${name}=${value}`, ...attributes].join('; ')
}

/** A value of `Set-Cookie` that makes the browser forget a cookie. */
export function clearCookie(name: string, options: Omit<CookieOptions, 'maxAgeSeconds'>): string {
  return setCookie(name, '', { ...options, maxAgeSeconds: 0 })
}
