/**
 * Apps of Atlassian Connect: a token bound to method, path and query, signed with a secret that the
 * site sends when the app is installed. Nothing binds the body.
 */
import { createHash } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import {
  type HandshakeAnswer,
  missing,
  rejected,
  step,
  unavailable,
  type VerificationResult,
} from '../verification-result.ts'
import { tokenIn, verifyJwt } from '../jwt.ts'
import type { CustomVerifier } from '../custom-verifier.ts'
import type { JwtRule } from '../verification-rules.ts'
import type { RequestView } from '../request-view.ts'

const AT = { header: 'Authorization' }
const INSTALL_KEYS = 'https://connect-install-keys.atlassian.com/'

export const verifyConnect: CustomVerifier = async (view, tools): Promise<VerificationResult> => {
  const pem =
    installed(view) === null ? null : await installKey(view, (url) => tools.keys.text(url))
  if (pem === undefined) {
    return unavailable(step('public key', INSTALL_KEYS, 'not to be had', false))
  }
  const rule: JwtRule = {
    kind: 'jwt',
    at: AT,
    scheme: 'JWT ',
    ...(pem === null
      ? { algorithms: ['HS256'], key: { config: 'shared_secret', as: 'utf8' } }
      : { algorithms: ['RS256'], key: { pem }, audience: { config: 'base_url' } }),
    issuer: { config: 'client_key' },
    claims: [
      { claim: 'qsh', is: { text: queryStringHash(view) } },
      ...(pem === null ? [] : [{ claim: 'iss', is: { text: '{json:$.clientKey}' } }]),
    ],
  }
  if (pem !== null && view.configured('base_url').length === 0) {
    // Atlassian signs for every app: the audience tells that this one is meant.
    return rejected('wrong_credentials', missing('audience', 'config key base_url'))
  }
  return await verifyJwt(rule, view, tools)
}

/**
 * Called once the installation is verified. Another site's installation does not replace the first
 * one's secret.
 */
export function learnInstallation(view: RequestView): HandshakeAnswer | null {
  const site = installed(view)
  // A token signed with the shared secret does not cover the body: a new secret is taken only when
  // Atlassian's own key has signed.
  if (site === null || keyIdOf(view) === null) return null
  const [known] = view.configured('client_key')
  const isNew = known === undefined && view.configured('shared_secret').length === 0
  const answer = { status: 204, headers: {}, body: '' }
  if (!isNew && known !== site.client_key) return answer
  return { ...answer, learned: site }
}

function installed(view: RequestView): { client_key: string; shared_secret: string } | null {
  const [type, key, secret] = ['eventType', 'clientKey', 'sharedSecret'].map(
    (name) => view.values({ json: `$.${name}` })[0],
  )
  if (type !== 'installed' || key === undefined || secret === undefined) return null
  return { client_key: key, shared_secret: secret }
}

/** @returns null when the token names no key; undefined when the key can't be fetched */
async function installKey(
  view: RequestView,
  text: (url: URL) => Promise<string>,
): Promise<string | null | undefined> {
  const kid = keyIdOf(view)
  if (kid === null) return null
  return await text(new URL(INSTALL_KEYS + kid)).catch(() => undefined)
}

function keyIdOf(view: RequestView): string | null {
  const header = view.header(AT.header) ?? ''
  const token = tokenIn(header, { scheme: 'JWT ' })
  try {
    const { alg, kid } = decodeProtectedHeader(token ?? '')
    return alg === 'RS256' && /^[A-Za-z0-9-]{1,64}$/.test(kid ?? '') ? (kid as string) : null
  } catch {
    return null
  }
}

/**
 * The hash of method, path below the app's base, and query, in an order and an escaping that both
 * sides agree on.
 */
function queryStringHash(view: RequestView): string {
  const { method, url } = view.request
  const base = URL.parse(view.configured('base_url')[0] ?? '')?.pathname.replace(/\/$/, '') ?? ''
  const below = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname
  const path = (url.pathname === base ? '/' : below).replace(/(.)\/$/, '$1').replaceAll('&', '%26')
  const line = `${method}&${path || '/'}&${canonicalQuery(url.searchParams)}`
  return createHash('sha256').update(line).digest('hex')
}

export function canonicalQuery(parameters: URLSearchParams): string {
  const byName = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    const values = byName.get(name)
    if (values === undefined) byName.set(name, [value])
    else values.push(value)
  }
  byName.delete('jwt')
  return [...byName]
    .map(([name, values]) => [encoded(name), values.map(encoded).sort().join(',')])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map(([name, values]) => `${name}=${values}`)
    .join('&')
}

/** Percent-encodes as RFC 3986 demands, which is more than encodeURIComponent does. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
