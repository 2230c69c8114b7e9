/**
 * Serves one request to a route of the catalog, from its key to its answer: authenticate, rate,
 * scope, parse, handle, answer. It is one function instead of a chain of middleware, so that the
 * order can be read. It knows no Express: the server calls it directly for hot routes.
 *
 * It answers what went well; the server's error handler answers what is thrown.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import type { Route } from '@posthorn/contracts/routes'
import { isUuid } from '@posthorn/domain/ids'
import { grants } from '@posthorn/domain/scopes'
import { commonHeaders, sendJson } from './answer.ts'
import type { Authenticate } from './authenticate.ts'
import type { BodyReservation, BodyCapacity } from './body-capacity.ts'
import { type Handler, toJsonText } from './handlers.ts'
import { parseLargeJsonObject, refusal, refuseBadText, toProblems } from './parse-request.ts'
import { limitRate, type RateLimitDeps } from './rate-limit.ts'
import { hasBody, readText, skipBody } from './read-body.ts'
import type { RequestScope } from './request-scope.ts'

export interface ServeDeps extends RateLimitDeps {
  authenticate: Authenticate
}

export type AnyHandler = Handler<unknown, unknown, unknown>

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

/** Path parameters that are free text, and those that are whole numbers. All others are ids. */
const TEXT_PARAMETERS = new Set(['name'])
const NUMBER_PARAMETERS = new Set(['n'])
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
  return async (request, response, scope, url) => {
    scope.route = name
    scope.atWork()
    const key = await deps.authenticate(request.headers)
    scope.atWork()
    if (key.rateLimit !== null) await limitRate(deps, key.keyId, key.rateLimit, response)
    const caller = await key.caller()
    scope.tenantId = caller.tenantId
    scope.atWork()
    if (!grants(caller.scopes, route.scope)) {
      throw new ApiError('FORBIDDEN', `the API key lacks the scope ${route.scope}`)
    }
    const params = toParams(url.params)
    if (params === null) return false
    const query = route.query === undefined ? undefined : parseQuery(route, url.query)
    const reservation = deps.bodyCapacity({ tenantId: caller.tenantId, senderId: caller.keyId })
    const answer = await withBody(route, request, limit, { reservation, scope }, ({ text, body }) =>
      handle({
        caller,
        params,
        body,
        query,
        text,
        header: (header) => request.headers[header.toLowerCase()] as string | undefined,
        requestId: scope.requestId,
        signal: () => endOfPatience(response, scope.closing),
      }),
    )
    scope.atWork()
    const headers = commonHeaders(scope.requestId)
    if (route.status === 204) response.writeHead(204, headers).end()
    else sendJson(response, route.status, toJsonText(answer), headers)
    return true
  }
}

function endOfPatience(response: ServerResponse, closing: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  closing.addEventListener('abort', abort)
  if (closing.aborted) abort()
  response.once('close', () => {
    closing.removeEventListener('abort', abort)
    abort()
  })
  return controller.signal
}

/** null: an id that is no id, or a number that is none. */
function toParams(given: UrlParts['params']): Record<string, string> | null {
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const text = String(value)
    if (TEXT_PARAMETERS.has(name)) params[name] = text
    else if (NUMBER_PARAMETERS.has(name)) {
      if (!NUMBER.test(text)) return null
      params[name] = text
    } else if (isUuid(text)) params[name] = text.toLowerCase()
    else return null
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

interface Body {
  text: string
  body: unknown
}

/** What a request has while it is served. */
interface InService {
  reservation: BodyReservation
  scope: RequestScope
}

async function withBody<Answer>(
  route: Route,
  request: IncomingMessage,
  limit: number,
  { reservation, scope }: InService,
  use: (body: Body) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await use(await readBody(route, request, limit, { reservation, scope }))
  } finally {
    reservation.release()
  }
}

async function readBody(
  route: Route,
  request: IncomingMessage,
  limit: number,
  { reservation, scope }: InService,
): Promise<Body> {
  if (route.body === undefined) {
    await skipBody(request, limit)
    return { text: '', body: undefined }
  }
  if (!hasBody(request) && route.bodyOptional === true) {
    return { text: '', body: parseBody(route, {}) }
  }
  if (!hasBody(request)) throw new ApiError('BAD_REQUEST', 'the body is empty; send a JSON object')
  // Whether a body is empty is known only once it is read, where its length was not told.
  const isTold = request.headers['transfer-encoding'] === undefined
  if (isTold || route.bodyOptional !== true) requireJson(request)
  const text = await readText(request, limit, reservation)
  scope.atWork()
  if (text === '' && route.bodyOptional === true) return { text, body: parseBody(route, {}) }
  requireJson(request)
  const value = await parseLargeJsonObject(text)
  scope.atWork()
  return { text, body: parseBody(route, value) }
}

function parseBody(route: Route, value: Record<string, unknown>): unknown {
  const { body: schema, errors, invalidBody } = route
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const tooMany = parsed.error.issues.find(
    ({ code, path }) => code === 'too_big' && path.join() === 'events',
  )
  if (tooMany !== undefined && errors?.includes('BATCH_TOO_LARGE') === true) {
    const details = [{ path: 'events', message: tooMany.message }]
    throw new ApiError('BATCH_TOO_LARGE', 'the batch has too many events', { details })
  }
  throw refusal(invalidBody ?? 'BAD_REQUEST', 'the body', toProblems(parsed.error.issues))
}

const JSON_TYPE = /^application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)$/i

function requireJson(request: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (!JSON_TYPE.test((type.split(';', 1)[0] as string).trim())) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'the body must be JSON: send Content-Type: application/json',
    )
  }
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'the body must not be compressed')
  }
}
