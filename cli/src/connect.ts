/** The SDK's client for one account, acting in a project or a sub-account where one is named. */
import { Posthorn } from '../../sdks/node/src/posthorn-node.ts'
import { createRequest, type Request } from '../../sdks/node/src/request.ts'
import type { Output } from './output.ts'
import { type Account, DEFAULT_PROFILE, findAccount } from './profiles.ts'
import { VERSION } from './version.ts'

export interface GlobalOptions {
  json?: boolean
  profile?: string
  project?: string
  subAccount?: string
}

export interface Connection {
  posthorn: Posthorn
  account: Account
  options: GlobalOptions
}

type Fetch = typeof fetch

export async function connect(
  options: GlobalOptions,
  out: Output,
  /** What stands between the client and the network. */
  wrap: (inner: Fetch) => Fetch = (inner) => inner,
): Promise<Connection> {
  const account = await findAccount(process.env, options.profile ?? DEFAULT_PROFILE)
  out.hide(account.apiKey)
  return { posthorn: clientOf(account, options, wrap), account, options }
}

export function clientOf(
  { url, apiKey }: Account,
  options: GlobalOptions = {},
  wrap: (inner: Fetch) => Fetch = (inner) => inner,
): Posthorn {
  return new Posthorn({ baseUrl: url, apiKey, fetch: wrap(scoped(options)) })
}

/** Calls by path, as the catalog describes them. */
export function requestOf({ url, apiKey }: Account, options: GlobalOptions): Request {
  return createRequest({
    baseUrl: url,
    apiKey,
    timeoutMs: 30_000,
    maxRetries: 2,
    fetch: scoped(options),
    random: Math.random,
  })
}

/** Each call acts where the user said: no command can forget it. */
function scoped({ project, subAccount }: GlobalOptions): Fetch {
  const added: Record<string, string> = {
    'User-Agent': `posthorn-cli/${VERSION}`,
    ...(project === undefined ? {} : { 'X-Project-ID': project }),
    // Headers carry bytes, one a character.
    ...(subAccount === undefined
      ? {}
      : { 'X-Sub-Account-ID': Buffer.from(subAccount).toString('latin1') }),
  }
  return (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...added } })
}

interface DocumentWithCookies {
  components?: { securitySchemes?: { session?: { name?: unknown } } }
}

/** The word in the names of delivery headers, which the API's document tells. */
export async function findBrand(url: string): Promise<string> {
  const response = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(10_000) })
  const document = response.ok ? ((await response.json()) as DocumentWithCookies) : {}
  const cookie = document.components?.securitySchemes?.session?.name
  const word = typeof cookie === 'string' ? cookie.replace(/_session$/, '') : ''
  if (!/^[a-z][a-z0-9]{0,31}$/.test(word)) return 'Service'
  return word.charAt(0).toUpperCase() + word.slice(1)
}
