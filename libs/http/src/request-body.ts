/**
 * The body of one request, as its route's row of the catalog says: none, text, a form or JSON;
 * its type, its bound, its schema.
 */
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import type { Route } from '@posthorn/contracts/routes'
import type { BodyReservation } from './body-capacity.ts'
import { checkBody, limitsOf } from './check-body.ts'
import { parseForm } from './parse-form.ts'
import { parseBodyText } from './parse-request.ts'
import { hasBody, readText, skipBody } from './read-body.ts'
import type { RequestScope } from './request-scope.ts'

interface Body {
  text: string
  body: unknown
}

/** What a request has while it is served. */
interface InService {
  reservation: BodyReservation
  scope: RequestScope
}

/** The caller releases the reservation when it is done with the body, or when this rejects. */
export async function readBody(
  route: Route,
  request: IncomingMessage,
  limit: number,
  { reservation, scope }: InService,
): Promise<Body> {
  if (route.consumes === 'text') {
    const text = hasBody(request) ? await readText(request, limit, reservation) : ''
    return { text, body: undefined }
  }
  if (route.body === undefined) {
    await skipBody(request, limit)
    return { text: '', body: undefined }
  }
  if (route.consumes === 'form') {
    requireType(request, FORM_BODY, 'the body must be a form: application/x-www-form-urlencoded')
    const text = await readText(request, limit, reservation)
    return { text, body: checkBody(route, text, parseForm(text)) }
  }
  if (!hasBody(request) && route.bodyOptional === true) {
    return { text: '', body: checkBody(route, '', {}) }
  }
  if (!hasBody(request)) throw new ApiError('BAD_REQUEST', 'the body is empty; send a JSON object')
  // Whether a body is empty is known only once it is read, where its length was not told.
  const isTold = request.headers['transfer-encoding'] === undefined
  if (isTold || route.bodyOptional !== true) requireJson(request)
  const text = await readText(request, limit, reservation)
  scope.atWork()
  if (text === '' && route.bodyOptional === true) return { text, body: checkBody(route, '', {}) }
  requireJson(request)
  const parsing = parseBodyText(text, limitsOf(route))
  const value = parsing instanceof Promise ? await parsing : parsing
  scope.atWork()
  return { text, body: checkBody(route, text, value) }
}

const JSON_BODY = /^application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)$/i
const FORM_BODY = /^application\/x-www-form-urlencoded$/i

function requireJson(request: IncomingMessage): void {
  requireType(request, JSON_BODY, 'the body must be JSON: send Content-Type: application/json')
}

function requireType(request: IncomingMessage, wanted: RegExp, message: string): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (!wanted.test((type.split(';', 1)[0] as string).trim())) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', message)
  }
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'the body must not be compressed')
  }
}
