/**
 * A service's routes, made from the catalog: authenticate, rate, scope, parse, handle, answer. One
 * function a request instead of a chain of middleware, so that the order can be read.
 *
 * It answers what went well; what is thrown is answered by the server's error handler.
 */
import { ApiError } from '@posthorn/contracts/errors'
import {
  maxBodyBytes,
  type Route,
  type RouteName,
  routeCatalog,
  type ServiceName,
} from '@posthorn/contracts/routes'
import { isUuid } from '@posthorn/domain/ids'
import { grants } from '@posthorn/domain/scopes'
import { type NextFunction, type Request, type Response, Router } from 'express'
import { sendJson } from './answer.ts'
import type { Authenticate } from './authenticate.ts'
import { type Handler, type Handlers, toJsonText } from './handlers.ts'
import { parseJsonObject, refusal, refuseBadText, toProblems } from './parse-request.ts'
import { limitRate, type RateLimitDeps } from './rate-limit.ts'
import { hasBody, readText, skipBody } from './read-body.ts'

export interface ApiRouterConfig<Service extends ServiceName> {
  service: Service
  brand: string
  /** Where a route's limit differs from the catalog's. */
  maxBodyBytes?: Partial<Record<RouteName, number>>
}

export interface ApiRouterDeps extends RateLimitDeps {
  authenticate: Authenticate
}

type AnyHandler = Handler<unknown, unknown, unknown>

/** Path parameters that are free text, and those that are whole numbers; all others are ids. */
const TEXT_PARAMETERS = new Set(['name'])
const NUMBER_PARAMETERS = new Set(['n'])
/** Nine digits fit into a column of integers. */
const NUMBER = /^[1-9]\d{0,8}$/

export function createApiRouter<Service extends ServiceName>(
  config: ApiRouterConfig<Service>,
  deps: ApiRouterDeps,
  handlers: Handlers<Service>,
): Router {
  const router = Router({ caseSensitive: true })
  const routes = Object.entries(routeCatalog(config.brand)) as [RouteName, Route][]
  for (const [name, route] of routes) {
    if (route.service !== config.service) continue
    const handle = (handlers as Record<string, AnyHandler>)[name] as AnyHandler
    const limit = config.maxBodyBytes?.[name] ?? maxBodyBytes(route)
    const serve = createServe(name, route, limit, deps, handle)
    router[route.method.toLowerCase() as 'get'](route.path, serve)
  }
  return router
}

function createServe(
  name: string,
  route: Route,
  limit: number,
  deps: ApiRouterDeps,
  handle: AnyHandler,
): (request: Request, response: Response, next: NextFunction) => Promise<void> {
  return async (request, response, next) => {
    response.locals.route = name
    const { caller, rateLimit } = await deps.authenticate(request.headers)
    if (rateLimit !== null) await limitRate(deps, caller.keyId, rateLimit, response)
    if (!grants(caller.scopes, route.scope)) {
      throw new ApiError('FORBIDDEN', `the API key lacks the scope ${route.scope}`)
    }
    const params = toParams(request.params)
    // No such resource, or another method's path: the last handler tells which.
    if (params === null) return next()
    const query = route.query === undefined ? undefined : parseQuery(route, request)
    const { text, body } = await readBody(route, request, limit)
    const answer = await handle({
      caller,
      params,
      body,
      query,
      text,
      header: (header) => request.headers[header.toLowerCase()] as string | undefined,
      requestId: response.locals.requestId as string,
      signal: () => endOfPatience(response),
    })
    if (route.status === 204) response.writeHead(204).end()
    else sendJson(response, route.status, toJsonText(answer))
  }
}

function endOfPatience(response: Response): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const closing = response.locals.closing as AbortSignal
  closing.addEventListener('abort', abort)
  if (closing.aborted) abort()
  response.once('close', () => {
    closing.removeEventListener('abort', abort)
    abort()
  })
  return controller.signal
}

/** null: an id that is none, or no number. */
function toParams(given: Request['params']): Record<string, string> | null {
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

function parseQuery(route: Route, request: Request): unknown {
  // Without a prototype as it comes: copied, so that a parameter called `constructor` is only that.
  const given = { ...request.query }
  refuseBadText(given)
  const parsed = route.query?.safeParse(given)
  if (parsed?.success === false)
    throw refusal('BAD_REQUEST', 'the query', toProblems(parsed.error.issues))
  return parsed?.data
}

async function readBody(
  route: Route,
  request: Request,
  limit: number,
): Promise<{ text: string; body: unknown }> {
  if (route.body === undefined) {
    await skipBody(request, limit)
    return { text: '', body: undefined }
  }
  if (!hasBody(request) && route.bodyOptional === true) {
    return { text: '', body: parseBody(route, {}) }
  }
  if (!hasBody(request)) throw new ApiError('BAD_REQUEST', 'the body is empty; send a JSON object')
  requireJson(request)
  const text = await readText(request, limit)
  return { text, body: parseBody(route, parseJsonObject(text)) }
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

function requireJson(request: Request): void {
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
