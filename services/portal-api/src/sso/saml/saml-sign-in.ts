/**
 * Sign-in by SAML: the browser goes to the identity provider with a request and comes back with a
 * form. The gate for what comes back has an order, from what is cheap to what is dear: the size of
 * the body and the limit of the address, then the row of the flow, which is taken before any XML is
 * touched, then the text, the signature, our own checks, and last the id of the assertion. Whatever
 * fails ends on our login page with a code in `error`, and without a session.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { hashSecretToken, hasSecretTokenForm } from '@posthorn/domain/secret-token'
import { clearCookie, setCookie } from '@posthorn/http/cookies'
import { type Handlers, redirect, type Reply, textReply } from '@posthorn/http/handlers'
import type { RateLimitDeps } from '@posthorn/http/rate-limit'
import { isDuplicate, type Transaction } from '@posthorn/store/prisma'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { originOf } from '../../auth/start-session.ts'
import { notFound } from '../../refusals.ts'
import type { CompletedSignIn, CompleteSsoSignIn, SsoSignIn } from '../complete-sign-in.ts'
import { samlUrls, type StoredSaml } from '../connection-record.ts'
import { type ActiveConnection, findConnectionBySlug } from '../find-connections.ts'
import { normalName } from '../identity-provider.ts'
import { loginErrorPath, returnPath } from '../return-path.ts'
import type { SsoConfig, SsoDeps } from '../sso-deps.ts'
import { FLOW_MS, keepFlow, newFlow } from '../sso-flows.ts'
import { newAuthnRequest, samlMetadata } from './authn-request.ts'
import type { SamlExpectations, SamlIdentity } from './saml-protocol.ts'
import type { SamlVerifier } from './saml-verifier.ts'

type SamlConfig = Pick<SsoConfig, 'brand' | 'publicUrl' | 'sessionCookie' | 'defaultPlan'>

export interface SamlSignInDeps
  extends Pick<SsoDeps, 'database' | 'log' | 'now'>,
    Pick<RateLimitDeps, 'takeToken'> {
  verify: SamlVerifier['verify']
  complete: CompleteSsoSignIn
  /** Makes every instance forget what it caches of a workspace's sessions. */
  announceChange: (tenantId: string) => void
}

type SamlHandlers = Pick<
  Handlers<'portal-api'>,
  'startSamlLogin' | 'getSamlMetadata' | 'finishSamlLogin'
>
type SamlFlowError = 'unknown_provider' | 'provider_unavailable' | 'flow_expired' | 'provider_error'

/** A company's people share an address, and come in the morning. */
const PER_SECOND_OF_ADDRESS = 20
const PATH = '/auth/sso/saml'
/** More than are added with each sign-in, so that they come to an end. */
const REMOVED_AT_ONCE = 10

export function createSamlSignIn(config: SamlConfig, deps: SamlSignInDeps): SamlHandlers {
  const { publicUrl, defaultPlan, sessionCookie } = config
  const { database, now } = deps
  // The form comes from another site, where a browser sends only cookies of `SameSite=None`, which
  // must be `Secure`. Without TLS, RelayState alone binds the flow.
  const cookieName = `${config.brand.toLowerCase()}_saml`
  const cookieOptions = { secure: true, sameSite: 'None', path: PATH } as const
  const cleared = sessionCookie.secure ? [clearCookie(cookieName, cookieOptions)] : []

  async function find(params: Readonly<Record<string, string>>): Promise<ActiveConnection | null> {
    const { clientID = '', slug = '' } = params
    return await findConnectionBySlug(database, { tenantId: clientID, slug }, defaultPlan)
  }

  return {
    async startSamlLogin({ params, query, clientIp }) {
      await limitAddress(deps, clientIp)
      const connection = await find(params)
      if (connection === null) return failed('unknown_provider')
      const { idpSsoUrl } = connection.config as unknown as StoredSaml
      const flow = newFlow()
      const urls = samlUrls(publicUrl, connection)
      const request = newAuthnRequest({ idpSsoUrl, relayState: flow.state }, urls, now())
      const data = { requestId: request.id, returnTo: returnPath(query.return) }
      await keepFlow(database, { ...flow, connection: connection.id, data }, now())
      const maxAgeSeconds = FLOW_MS / 1_000
      const cookie = setCookie(cookieName, flow.browser, { ...cookieOptions, maxAgeSeconds })
      return redirect(request.location, { cookies: sessionCookie.secure ? [cookie] : [] })
    },

    async getSamlMetadata({ params }) {
      const connection = await find(params)
      if (connection === null) throw notFound('connection')
      return textReply(
        'application/samlmetadata+xml',
        samlMetadata(samlUrls(publicUrl, connection)),
      )
    },

    async finishSamlLogin({ params, body, ...request }) {
      await limitAddress(deps, request.clientIp)
      const connection = await find(params)
      if (connection === null) return failed('unknown_provider')
      const { RelayState: state = '', SAMLResponse: response = '' } = body
      const browser = sessionCookie.secure ? (request.cookie(cookieName) ?? '') : null
      const flow = await takeSamlFlow(deps, { connection: connection.id, state, browser })
      if (flow === null) return failed('flow_expired')
      const expected = expectedOf(connection, publicUrl, flow['requestId'] ?? '')
      const origin = originOf(request)
      const result = await deps.verify(connection.tenantId, response, expected)
      if (result.outcome === 'busy') return failed('provider_unavailable', cleared)
      if (result.outcome === 'refused') {
        const { reason } = result
        deps.log.info('sso.saml-refused', { connection: connection.id, reason })
        await recordRefusal(database, { connection, origin, reason })
        return failed('provider_error', cleared)
      }
      const returnTo = returnPath(flow['returnTo'])
      const signIn = {
        ...signInOf(connection, result.identity),
        origin,
        returnTo,
        cookies: cleared,
      }
      const reply = await end(deps, signIn, result.identity)
      if (reply !== null) return reply
      await recordRefusal(database, { connection, origin, reason: 'replayed' })
      return failed('provider_error', cleared)
    },
  }
}

function failed(error: SamlFlowError, cookies: string[] = []): Reply<never> {
  return redirect(loginErrorPath(error), { cookies })
}

async function limitAddress(
  { takeToken }: Pick<RateLimitDeps, 'takeToken'>,
  clientIp: string,
): Promise<void> {
  const { allowed, retryAfterMs } = await takeToken(`saml:${clientIp}`, PER_SECOND_OF_ADDRESS)
  if (allowed) return
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  const message = 'too many sign-ins from this address; try again'
  throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds })
}

/**
 * The row goes with its first use, whatever comes of it: that ends replays, races and responses
 * that nobody asked for.
 *
 * @param browser null: the flow is not bound to a browser
 * @returns null: unknown, used, too old, another browser's or another connection's
 */
async function takeSamlFlow(
  { database }: Pick<SamlSignInDeps, 'database'>,
  { connection, state, browser }: { connection: string; state: string; browser: string | null },
): Promise<Record<string, string> | null> {
  if (!hasSecretTokenForm(state)) return null
  if (browser !== null && !hasSecretTokenForm(browser)) return null
  const browserHash = browser === null ? null : hashSecretToken(browser)
  const rows = await database.$queryRaw<{ data: Record<string, string> }[]>`
    DELETE FROM sso_flows WHERE state_hash = ${hashSecretToken(state)}
      AND connection = ${connection} AND expires_at > now()
      AND (${browser === null} OR browser_hash = ${browserHash})
    RETURNING data`
  return rows[0]?.data ?? null
}

function expectedOf(
  connection: ActiveConnection,
  publicUrl: string,
  requestId: string,
): SamlExpectations {
  const { idpEntityId, idpCertificates, wantResponseSigned } =
    connection.config as unknown as StoredSaml
  const { spEntityId, acsUrl } = samlUrls(publicUrl, connection)
  return { idpEntityId, idpCertificates, wantResponseSigned, spEntityId, acsUrl, requestId }
}

function signInOf(
  { id: key, tenantId, defaultRole }: ActiveConnection,
  { issuer, subject, email, name }: SamlIdentity,
): Pick<SsoSignIn, 'connection' | 'profile'> {
  // SAML has no word for whether an address was verified.
  const profile = { issuer, subject, email, emailIs: 'unsaid' as const, name: normalName(name) }
  return { connection: { key, tenantId, defaultRole }, profile }
}

/** @returns null: the assertion was used before */
async function end(
  { database, complete, announceChange }: SamlSignInDeps,
  signIn: SsoSignIn,
  identity: SamlIdentity,
): Promise<Reply<never> | null> {
  const once = async (): Promise<CompletedSignIn | null> =>
    await database.$transaction(async (transaction) => {
      const isNew = await rememberAssertion(transaction, signIn.connection.key, identity)
      return isNew ? await complete(transaction, signIn) : null
    })
  // When one person signs in twice at once for the first time, the second finds the user whom the
  // first made.
  const completed = await once().catch(async (error: unknown) => {
    if (isDuplicate(error)) return await once()
    throw error
  })
  if (completed === null) return null
  for (const tenantId of completed.changedTenants) announceChange(tenantId)
  return completed.reply
}

/** @returns false: it was used before */
async function rememberAssertion(
  transaction: Transaction,
  connectionId: string,
  { assertionId, expiresAt }: SamlIdentity,
): Promise<boolean> {
  const added = await transaction.$executeRaw`
    WITH expired AS (
      DELETE FROM saml_assertions WHERE (connection_id, assertion_id) IN (
        SELECT connection_id, assertion_id FROM saml_assertions WHERE expires_at < now()
        ORDER BY expires_at LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO saml_assertions (connection_id, assertion_id, expires_at)
    VALUES (${connectionId}::uuid, ${assertionId}, ${new Date(expiresAt)})
    ON CONFLICT DO NOTHING`
  return added === 1
}

async function recordRefusal(
  client: Pick<SamlSignInDeps['database'], '$executeRawUnsafe'>,
  {
    connection,
    origin,
    reason,
  }: { connection: ActiveConnection; origin: SsoSignIn['origin']; reason: string },
): Promise<void> {
  await recordAuthEvent(client, {
    ...origin,
    event: 'sso.login.fail',
    tenantId: connection.tenantId,
    userId: null,
    subject: null,
    metadata: { connection: connection.id, reason },
  })
}
