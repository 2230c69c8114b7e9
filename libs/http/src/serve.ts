/**
 * Serves one request to a route of the catalog, from its credential to its answer: authenticate,
 * rate, access, parse, handle, answer. It is one function instead of a chain of middleware, so that
 * the order can be read. It knows no Express: the server calls it directly for hot routes.
 *
 * It answers what went well; the server's error handler answers what is thrown.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import { isOfPortal, pathParameter, type Route } from '@posthorn/contracts/routes'
import { isUuid } from '@posthorn/domain/ids'
import { PLANS } from '@posthorn/domain/plans'
import { auditScope, isUnaudited } from './audit-scope.ts'
import { commonHeaders, JSON_TYPE, sendText } from './answer.ts'
import type { Authenticate } from './authenticate.ts'
import type { Authenticated } from './authenticated.ts'
import type { BodyCapacity, BodySender } from './body-capacity.ts'
import { clientIpOf } from './client-ip.ts'
import { readCookie, setCookie } from './cookies.ts'
import { requireAccess, requirePerson } from './decide-access.ts'
import { endOfPatience } from './end-of-patience.ts'
import { enterPortal } from './enter-portal.ts'
import {
  type Caller,
  type Handler,
  isReply,
  payerOf,
  type Reply,
  type ScimCaller,
  toJsonText,
} from './handlers.ts'
import { type PortalSessions, requirePortal } from './portal-sessions.ts'
import { SESSION_MS } from './session-credentials.ts'
import { refuseSubAccountHeader } from './sub-account-place.ts'
import { refuseBadText } from './bad-text.ts'
import { refusal, toProblems } from './refusal.ts'
import { limitRate, type RateLimitDeps } from './rate-limit.ts'
import { readBody } from './request-body.ts'
import type { RequestScope } from './request-scope.ts'
import { SCIM_TYPE } from './scim-error.ts'
import { sendChunks } from './send-chunks.ts'

export interface ServeDeps extends RateLimitDeps {
  authenticate: Authenticate
  /** What a service needs that has routes of the portal. */
  portal?: PortalSessions
  /** How a session's cookie is written again when the session goes on. */
  sessionCookie: SessionCookie
  /**
   * A route with an `audit` has answered well, and its handler has recorded nothing: a mistake of
   * the program.
   */
  onUnaudited(route: string, requestId: string): void
  /** How many proxies of our own stand in front: `TRUSTED_PROXIES`. */
  trustedProxies: number
}

export interface SessionCookie {
  name: string
  /** Sent over https alone. */
  secure: boolean
}

export type AnyHandler = Handler<unknown, unknown, unknown, never>
/** Whoever the route's row lets in. */
type AnyCaller = Caller | ScimCaller | null

/** The parts of the URL that the router found. */
export interface UrlParts {
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
}

/** Resolves with false where the path can't name anything: its id is no id. */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  scope: RequestScope,
  url: UrlParts,
) => Promise<boolean>

/** Nine digits fit into a column of integers. */
const NUMBER = /^[1-9]\d{0,8}$/

/** @param limit the most bytes of the body */
export function createServe(
  name: string,
  route: Route,
  limit: number,
  deps: ServeDeps & { bodyCapacity: BodyCapacity },
  handle: AnyHandler,
): Serve {
  const portalHeaders = Object.entries(isOfPortal(route) ? requirePortal(deps).headers : {})
  return async (request, response, scope, url) => {
    scope.route = name
    scope.atWork()
    for (const [header, value] of portalHeaders) response.setHeader(header, value)
    const caller = await letIn(route, request, response, { deps, scope })
    scope.tenantId = caller?.tenantId ?? ''
    scope.atWork()
    const params = toParams(route, url.params)
    if (params === null) return false
    const query = route.query === undefined ? undefined : parseQuery(route, url.query)
    const clientIp = clientIpOf(request, deps.trustedProxies)
    const audit = auditScope(route, caller, request, { ip: clientIp, id: scope.requestId })
    const reservation = deps.bodyCapacity(senderOf(caller, clientIp))
    let answer: unknown
    try {
      const { text, body } = await readBody(route, request, limit, { reservation, scope })
      // Without getters: V8 makes a hidden class for each object whose literal has one, and an
      // event cost 4 KB more of memory that outlives the young generation, and 20 µs of collecting.
      answer = await handle({
        caller: caller as never,
        params,
        body,
        query,
        text,
        header: (header) => request.headers[header.toLowerCase()] as string | undefined,
        cookie: (cookie) => readCookie(request.headers.cookie, cookie),
        clientIp,
        requestId: scope.requestId,
        audit,
        signal: () => endOfPatience(response, scope.closing),
      })
    } finally {
      reservation.release()
    }
    scope.atWork()
    const made: AnswerParts = isReply(answer) ? answer : { answer }
    if (isUnaudited(route, made.status, audit)) deps.onUnaudited(name, scope.requestId)
    const sending = send(route, response, scope, made)
    if (sending !== undefined) await sending
    return true
  }
}

/** What a request has while it is let in. */
interface Entering {
  deps: ServeDeps
  scope: RequestScope
}

/** By the route's row. null: anyone may. */
async function letIn(
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  { deps, scope }: Entering,
): Promise<AnyCaller> {
  const { authenticate } = deps
  const { access } = route
  if (access.by === 'anyone') {
    const { checkOrigin } = isOfPortal(route) ? requirePortal(deps) : authenticate
    if (access.crossSite !== true) checkOrigin(request)
    return null
  }
  if (access.by === 'scim-token') return await authenticate.scimToken(request)
  if (access.by === 'sub-account') {
    refuseSubAccountHeader(request, false)
    const portal = requirePortal(deps)
    return await enterPortal(access, request, response, { ...deps, portal })
  }
  // Where nothing has to be waited for, as for most requests, nothing is.
  const entering = authenticate[access.by](request)
  const found = entering instanceof Promise ? await entering : entering
  scope.atWork()
  refuseSubAccountHeader(request, access.by === 'member' && access.subAccount === true)
  if (found.keyId === null) goOn(request, response, found, deps)
  else if (found.rateLimit !== null) {
    const { keyId: id, rateLimit: perSecond } = found
    await limitRate(deps, { of: 'API key', id, perSecond }, response)
  }
  const calling = found.caller()
  const caller = calling instanceof Promise ? await calling : calling
  const { requestsPerSecond: perSecond } = PLANS[caller.plan].limits
  if (perSecond > 0)
    await limitRate(deps, { of: 'workspace', id: payerOf(caller), perSecond }, response)
  if (found.mustEnrol && !(access.by === 'session' && access.whileEnrolling === true)) {
    throw new ApiError('MFA_REQUIRED', 'this workspace needs a second factor: set one up first')
  }
  if (access.by === 'member') requireAccess(access, caller)
  else requirePerson(access, caller)
  if (caller.parent?.isDeactivated === true && request.method !== 'GET') {
    throw new ApiError('INVALID_STATE', 'the sub-account is deactivated and takes nothing new')
  }
  return caller
}

/** A session that is used goes on, and its cookie with it. */
function goOn(
  request: IncomingMessage,
  response: ServerResponse,
  { extendedUntil }: Authenticated,
  { authenticate, sessionCookie: { name, secure } }: ServeDeps,
): void {
  authenticate.checkOrigin(request)
  const token = readCookie(request.headers.cookie, name)
  if (extendedUntil === null || token === undefined) return
  response.appendHeader(
    'Set-Cookie',
    setCookie(name, token, { maxAgeSeconds: SESSION_MS / 1_000, secure }),
  )
}

/** Strangers are told apart by their address: none of them has more than a sender's share. */
function senderOf(caller: AnyCaller, clientIp: string): BodySender {
  if (caller === null) {
    const stranger = `anyone:${clientIp}`
    return { tenantId: stranger, senderId: stranger }
  }
  const { tenantId } = caller
  if ('tokenId' in caller) return { tenantId, senderId: caller.tokenId }
  const sender = caller.subAccountSession?.id ?? caller.sessionId ?? caller.keyId
  return { tenantId, senderId: sender as string }
}

type AnswerParts = Omit<Reply<unknown>, symbol>

/** @returns a promise where the answer is sent in chunks */
function send(
  route: Route,
  response: ServerResponse,
  scope: RequestScope,
  { answer, text, chunks, status = route.status, headers, cookies }: AnswerParts,
): Promise<void> | undefined {
  for (const cookie of cookies ?? []) response.appendHeader('Set-Cookie', cookie)
  const all = Object.assign(commonHeaders(scope.requestId), headers)
  if (chunks !== undefined) return sendChunks(response, status, chunks, all)
  if (text !== undefined) sendText(response, status, text.contentType, text.content, all)
  else if (answer === undefined) response.writeHead(status, all).end()
  else {
    const type = route.produces === 'scim' ? SCIM_TYPE : JSON_TYPE
    sendText(response, status, type, toJsonText(answer), all)
  }
  return undefined
}

/** null: an id that is no id, or a number that is none. */
function toParams(route: Route, given: UrlParts['params']): Record<string, string> | null {
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const text = String(value)
    const kind = pathParameter(route, name)
    if (kind === 'number' && !NUMBER.test(text)) return null
    if (kind === 'id' && !isUuid(text)) return null
    params[name] = kind === 'id' ? text.toLowerCase() : text
  }
  refuseBadText(params)
  return params
}

function parseQuery(route: Route, query: UrlParts['query']): unknown {
  // It comes without a prototype and is copied, so that a parameter called `constructor` is only
  // that.
  const given = { ...query }
  refuseBadText(given)
  const parsed = route.query?.safeParse(given)
  if (parsed?.success === false)
    throw refusal('BAD_REQUEST', 'the query', toProblems(parsed.error.issues))
  return parsed?.data
}
