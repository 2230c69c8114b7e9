/**
 * Sign-in by OAuth and OIDC: the browser goes to the provider, and comes back with a code. Whatever
 * goes wrong ends on our login page with a code in `error`, and without a session.
 */
import { clearCookie, setCookie } from '@posthorn/http/cookies'
import { type Handlers, redirect, type Reply } from '@posthorn/http/handlers'
import * as oauth from 'openid-client'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { type Origin, originOf } from '../auth/start-session.ts'
import type { CompletedSignIn, CompleteSsoSignIn } from './complete-sign-in.ts'
import { callbackUrl } from './connection-record.ts'
import type { SsoProfile } from './identity-provider.ts'
import type { FindOpenConnection } from './open-connections.ts'
import { loginErrorPath, returnPath } from './return-path.ts'
import type { OpenConnection, SsoConfig, SsoDeps } from './sso-deps.ts'
import { FLOW_MS, keepFlow, newFlow, takeFlow } from './sso-flows.ts'

type SignInConfig = Pick<SsoConfig, 'brand' | 'publicUrl' | 'sessionCookie'>

export interface SignInDeps extends Pick<SsoDeps, 'database' | 'log' | 'now'> {
  findOpenConnection: FindOpenConnection
  complete: CompleteSsoSignIn
  /** Makes every instance forget what it caches of a workspace's sessions. */
  announceChange: (tenantId: string) => void
}

type SignInHandlers = Pick<Handlers<'portal-api'>, 'startSsoLogin' | 'finishSsoLogin'>

/** The codes of `/login?error=` for flows that did not end. */
type FlowError =
  | 'unknown_provider'
  | 'provider_unavailable'
  | 'flow_expired'
  | 'access_denied'
  | 'provider_error'

const NAME = 'sso'

export function createSsoSignIn(config: SignInConfig, deps: SignInDeps): SignInHandlers {
  const { brand, publicUrl, sessionCookie } = config
  const { database, log, now, findOpenConnection } = deps
  const cookieName = `${brand.toLowerCase()}_${NAME}`
  const cookieOptions = { secure: sessionCookie.secure, path: '/auth/sso' }
  const cleared = clearCookie(cookieName, cookieOptions)
  const failed = (error: FlowError, cookies: string[] = []): Reply<never> =>
    redirect(loginErrorPath(error), { cookies })
  const end = createEnd(deps)

  return {
    async startSsoLogin({ params, query }) {
      const connection = await findOpenConnection(params['provider'] ?? '')
      if (connection === null) return failed('unknown_provider')
      const flow = newFlow()
      const pending = { nonce: oauth.randomNonce(), verifier: oauth.randomPKCECodeVerifier() }
      const { key, client } = connection
      let location: URL
      try {
        location = await client.begin(callbackUrl(publicUrl, key), flow.state, pending)
      } catch (error) {
        log.info('sso.provider-unavailable', { connection: key, error })
        return failed('provider_unavailable')
      }
      const data = { ...pending, returnTo: returnPath(query.return) }
      await keepFlow(database, { ...flow, connection: key, data }, now())
      const cookie = setCookie(cookieName, flow.browser, {
        ...cookieOptions,
        maxAgeSeconds: FLOW_MS / 1_000,
      })
      return redirect(location.href, { cookies: [cookie] })
    },

    async finishSsoLogin({ params, query, ...request }) {
      const connection = await findOpenConnection(params['provider'] ?? '')
      if (connection === null) return failed('unknown_provider')
      const { state } = query
      const browser = request.cookie(cookieName)
      const flow = await takeFlow(database, {
        connection: connection.key,
        ...(state === undefined ? {} : { state }),
        ...(browser === undefined ? {} : { browser }),
      })
      if (state === undefined || flow === null) return failed('flow_expired')
      const { nonce = '', verifier = '', returnTo } = flow
      const origin = originOf(request)
      if (query.error !== undefined) {
        const reason = query.error === 'access_denied' ? 'access_denied' : 'provider_error'
        await recordFailure(database, connection, origin, reason)
        return failed(reason, [cleared])
      }
      const callback = new URL(callbackUrl(publicUrl, connection.key))
      for (const [name, value] of Object.entries(query)) callback.searchParams.set(name, value)
      let profile: SsoProfile
      try {
        profile = await connection.client.finish(callback, state, { nonce, verifier })
      } catch (error) {
        log.info('sso.login-failed', { connection: connection.key, error })
        await recordFailure(database, connection, origin, 'provider_error')
        return failed('provider_error', [cleared])
      }
      return await end({
        connection,
        profile,
        origin,
        returnTo: returnPath(returnTo),
        cookies: [cleared],
      })
    },
  }
}

function createEnd({
  database,
  complete,
  announceChange,
}: SignInDeps): (signIn: Parameters<CompleteSsoSignIn>[1]) => Promise<Reply<never>> {
  return async (signIn) => {
    const once = async (): Promise<CompletedSignIn> =>
      await database.$transaction(async (transaction) => await complete(transaction, signIn))
    const { reply, changedTenants } = await repeatOnce(once)
    for (const tenantId of changedTenants) announceChange(tenantId)
    return reply
  }
}

/** When one person signs in twice at once for the first time, the second finds the first's user. */
async function repeatOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'P2002') throw error
    return await work()
  }
}

async function recordFailure(
  client: Parameters<typeof recordAuthEvent>[0],
  { key, tenantId }: OpenConnection,
  origin: Origin,
  reason: FlowError,
): Promise<void> {
  await recordAuthEvent(client, {
    ...origin,
    event: 'sso.login.fail',
    tenantId,
    userId: null,
    subject: null,
    metadata: { connection: key, reason },
  })
}
