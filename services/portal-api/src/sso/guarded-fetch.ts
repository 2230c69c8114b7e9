/**
 * How identity providers are asked: by the one guarded way out, because a workspace's issuer is
 * whatever its admin typed. It is `fetch` as openid-client calls it, and no more.
 */
import type { Egress } from '@posthorn/egress/egress'

export type GuardedFetch = (
  url: string,
  request: {
    method: string
    headers: Readonly<Record<string, string>>
    body?: unknown
  },
) => Promise<Response>

/** A person waits at a browser; providers answer within a second. */
export const PROVIDER_TIMEOUT_MS = 5_000

/**
 * @param owner the workspace, whose names are resolved and whose providers are asked beside those
 * of others; undefined: the operator's provider
 */
export function createGuardedFetch(
  send: Egress['send'],
  more: { owner: string | undefined; userAgent: string },
): GuardedFetch {
  return async (url, { method, headers, body }) => {
    const answer = await send({
      url,
      method,
      // An encoded answer would not be decoded.
      headers: { ...headers, 'user-agent': more.userAgent, 'accept-encoding': 'identity' },
      body: textOf(body),
      owner: more.owner,
      timeoutMs: PROVIDER_TIMEOUT_MS,
    })
    const { host } = new URL(url)
    if (answer.outcome === 'error') throw new Error(`${host}: ${answer.detail}`)
    if (answer.bodyTruncated) throw new Error(`${host}: the answer is too large`)
    const { statusCode: status } = answer
    const hasBody = status !== 204 && status !== 205 && status !== 304
    return new Response(hasBody ? answer.body : null, { status, headers: answer.headers })
  }
}

function textOf(body: unknown): string {
  if (body === undefined || body === null) return ''
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('a request to an identity provider is a form')
}
