/**
 * Tokens for SASL/OAUTHBEARER, from the operator's token endpoint by the grant of client
 * credentials (RFC 6749, 4.4). One is kept while it is good for a while, because every connection
 * asks for one.
 */
import { postText } from '@posthorn/async/post-text'

export interface OauthClient {
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope?: string
  /** As PEM; default: the public authorities. */
  ca?: string
}

const TIMEOUT_MS = 5_000
/** A token is some kilobytes. */
const MAX_BYTES = 64 * 1024
/** This share of its life a token is used; one that does not tell its life is used once. */
const USED_SHARE = 0.8

export function createOauthTokens(
  client: OauthClient,
  now: () => number,
): () => Promise<{ value: string }> {
  interface Token {
    value: string
    until: number
  }
  let current: Promise<Token> | undefined

  async function ask(): Promise<Token> {
    const askedAt = now()
    const { access_token: value, expires_in: seconds } = await post(client)
    if (typeof value !== 'string' || value === '')
      throw new Error(`${client.tokenUrl} answered without an access_token`)
    const lifeMs = typeof seconds === 'number' ? seconds * 1_000 * USED_SHARE : 0
    return { value, until: askedAt + lifeMs }
  }

  function renew(): Promise<Token> {
    const asked = ask()
    current = asked
    asked.catch(() => {
      if (current === asked) current = undefined
    })
    return asked
  }

  return async () => {
    const known = current
    const token = await (known ?? renew())
    if (known === undefined || token.until > now()) return { value: token.value }
    const { value } = await (current === known || current === undefined ? renew() : current)
    return { value }
  }
}

async function post(client: OauthClient): Promise<Record<string, unknown>> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (client.scope !== undefined) form.set('scope', client.scope)
  const credentials = [client.clientId, client.clientSecret].map(encodeURIComponent).join(':')
  const { status, text } = await postText({
    url: client.tokenUrl,
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: form.toString(),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    ca: client.ca,
  })
  if (status !== 200) throw new Error(`${client.tokenUrl} answered ${status}`)
  return parse(text, client.tokenUrl)
}

function parse(text: string, url: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>
  } catch {
    // What is no JSON is refused like what is no object.
  }
  throw new Error(`${url} answered what is no JSON object`)
}
