/**
 * A real OpenID provider in this process, at which whoever `account` names signs in without being
 * asked, and whose answers a test can change on their way. For tests.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error -- the package has no types
import Provider from 'oidc-provider'

export interface PeerAccount {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

export interface OidcPeer {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who signs in from now on. */
  account: PeerAccount
  /** Changes what the token endpoint answers. */
  tamperTokens: ((answer: Record<string, unknown>) => void) | null
  /** Changes the parameters of authorization requests, as somebody between could. */
  tamperAuthorization: ((parameters: URLSearchParams) => void) | null
  /** The paths that were asked for. */
  asked: string[]
  close(): Promise<void>
}

interface Context {
  path: string
  body: Record<string, unknown>
  oidc: {
    provider: { Grant: new (fields: object) => Grant }
    client: { clientId: string }
    session: { accountId: string }
  }
}

interface Grant {
  addOIDCScope(scope: string): void
  save(): Promise<void>
}

interface PeerProvider {
  Client: { prototype: { redirectUriAllowed(): boolean } }
  use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
  ): Promise<void>
}

export async function startOidcPeer(): Promise<OidcPeer> {
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const peer: OidcPeer = {
    issuer,
    clientId: 'posthorn',
    clientSecret: randomUUID(),
    account: { sub: 'nobody' },
    tamperTokens: null,
    tamperAuthorization: null,
    asked: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const provider = new (Provider as new (issuer: string, more: object) => PeerProvider)(
    issuer,
    configuration(peer),
  )
  // Connections get their redirect URIs in the tests.
  provider.Client.prototype.redirectUriAllowed = () => true
  provider.use(async (context, next) => {
    await next()
    if (context.path === '/token') peer.tamperTokens?.(context.body)
  })
  const handle = provider.callback()

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    peer.asked.push(url.pathname)
    if (url.pathname.startsWith('/interaction/')) {
      const login = { accountId: peer.account.sub }
      try {
        await provider.interactionFinished(request, response, { login })
      } catch (error) {
        response
          .writeHead(500)
          .end(String((error as { error_detail?: string }).error_detail ?? error))
      }
      return
    }
    if (url.pathname === '/auth') peer.tamperAuthorization?.(url.searchParams)
    request.url = url.pathname + url.search
    handle(request, response)
  }
  return peer
}

/** Longer than a test takes. */
const LIVING = ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'Session']

function configuration(peer: OidcPeer): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signing = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }
  return {
    clients: [
      {
        client_id: peer.clientId,
        client_secret: peer.clientSecret,
        redirect_uris: ['https://hooks.example.com/auth/sso/oidc/callback'],
      },
    ],
    jwks: { keys: [signing] },
    cookies: { keys: ['a key for the cookies of a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: Context, sub: string) => ({
      accountId: sub,
      claims: () => ({ ...peer.account, sub }),
    }),
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: Object.fromEntries(LIVING.map((name) => [name, 600])),
  }
}
