/**
 * The OpenAPI 3.1 document, made from the route catalog. It holds nothing that the catalog does
 * not, and nothing is written twice. Checks that no schema expresses (a host is not blocked, a
 * script compiles, a certificate and its key belong together) show in the error answers only.
 */
import { brandOf } from '@posthorn/domain/brand'
import { z } from 'zod'
import type { Access } from './access.ts'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'
import { componentSchemas, type Json, schemaNames, tidy } from './openapi-schemas.ts'
import { INBOUND_TAG, inboundPath } from './openapi-inbound.ts'
import { type PathParameter, pathParameter, type Route, routeCatalog } from './routes.ts'

const DESCRIPTION = `Accepts events and delivers them as signed webhooks, with retries.

Send your API key in \`X-API-Key\`, or sign in and send the session's cookie. Every answer carries \`X-Request-Id\`, every error \`{error, code, details}\`.`

/**
 * @param brand the word in the service's own header names and cookies
 * @param baseUrl the installation's URL; without it, paths are relative to the document
 */
export function openApiDocument(brand: string, version: string, baseUrl?: string): Json {
  const routes = Object.entries(routeCatalog(brand)) as [string, Route][]
  const names = schemaNames(routes)
  return {
    openapi: '3.1.0',
    info: { title: 'Posthorn', version, description: DESCRIPTION },
    servers: [{ url: baseUrl ?? '/' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [...new Set(routes.map(([, route]) => tagOf(route))), INBOUND_TAG].map((name) => ({
      name,
    })),
    paths: { ...toPaths(routes, names), ...inboundPath() },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        session: { type: 'apiKey', in: 'cookie', name: `${brandOf(brand).lower}_session` },
        subAccountSession: {
          type: 'apiKey',
          in: 'cookie',
          name: `${brandOf(brand).lower}_sub_account_session`,
        },
        scimToken: { type: 'http', scheme: 'bearer' },
      },
      responses: { ...errorResponses(), SCIM_ERROR: scimError() },
      schemas: { ...componentSchemas(routes, names), Error: errorSchema() },
    },
  }
}

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const ANSWER_TYPES = {
  json: JSON_TYPE,
  xml: 'application/xml',
  scim: 'application/scim+json',
  html: 'text/html',
}

function toPaths(routes: readonly [string, Route][], names: ReadonlyMap<z.ZodType, string>): Json {
  const paths: Record<string, Json> = {}
  for (const [name, route] of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(name, route, names) }
  }
  return paths
}

function toOperation(name: string, route: Route, names: ReadonlyMap<z.ZodType, string>): Json {
  const operation: Json = {
    operationId: name,
    summary: route.summary,
    description: accessText(route.access),
    security: securityOf(route.access),
    tags: [tagOf(route)],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    responses: { ...successOf(route, names), ...errorsOf(route) },
  }
  if (route.body !== undefined) {
    const content: Json = { schema: refTo(names.get(route.body) as string) }
    if (route.example !== undefined) content.example = route.example
    const required = route.bodyOptional !== true
    const type = route.consumes === 'form' ? FORM : JSON_TYPE
    operation.requestBody = { required, content: { [type]: content } }
  } else if (route.consumes === 'text') {
    operation.requestBody = { required: true, content: { '*/*': { schema: { type: 'string' } } } }
  }
  return operation
}

/** Who may call a route, in words. */
function accessText(access: Access): string {
  if (access.by === 'anyone') return 'Needs no credential.'
  if (access.by === 'session') {
    const whose = access.personal === true ? ' of a person' : ''
    return `Needs a session${whose}: sign in first.`
  }
  if (access.by === 'scim-token') return "Needs a workspace's SCIM token."
  if (access.by === 'sub-account') {
    const { capability } = access
    const having = capability === null ? '' : ` with the capability \`${capability}\``
    return `Needs a sub-account's session in the portal${having}.`
  }
  const { scope, role, sessionOnly, feature, verifiedEmail } = access
  const who =
    sessionOnly === true
      ? `Needs the session of a member with the role \`${role}\` or more; API keys are refused.`
      : `Needs the scope \`${scope}\`, or the session of a member with the role \`${role}\` or more.`
  const plan = feature === undefined ? '' : ` The plan must have \`${feature}\`.`
  const email = verifiedEmail === true ? ' Members must have verified their e-mail address.' : ''
  return who + plan + email
}

function securityOf(access: Access): Json[] {
  if (access.by === 'anyone') return []
  if (access.by === 'scim-token') return [{ scimToken: [] }]
  if (access.by === 'sub-account') return [{ subAccountSession: [] }]
  const isForKeys = access.by === 'member' && access.sessionOnly !== true
  return isForKeys ? [{ apiKey: [] }, { session: [] }] : [{ session: [] }]
}

/** The segment after the version: `events`, `endpoints`; without a version the first: `auth`. */
function tagOf(route: Route): string {
  const [first = 'other', , third] = route.path.split('/').slice(1)
  return first === 'api' ? (third ?? 'other') : first
}

function refTo(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

const PATH_PARAMETERS: Record<PathParameter, Json> = {
  text: { type: 'string' },
  number: { type: 'integer', minimum: 1 },
  id: { type: 'string', format: 'uuid' },
}

function pathParameters(route: Route): Json[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: PATH_PARAMETERS[pathParameter(route, name)],
  }))
}

function queryParameters(route: Route): Json[] {
  if (route.query === undefined) return []
  const { properties = {}, required = [] } = z.toJSONSchema(route.query, {
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema, 'input'),
  })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

const PROJECT_HEADER = {
  name: 'X-Project-ID',
  in: 'header',
  required: false,
  description:
    'Confines the request to one project; without it, all projects of the workspace are read ' +
    'and the default one is written.',
  schema: { type: 'string', format: 'uuid' },
}

function headerParameters(route: Route): Json[] {
  const own = (route.headers ?? []).map(({ name, required, meaning, pattern }) => ({
    name,
    in: 'header',
    required,
    description: meaning,
    schema: { type: 'string', pattern },
  }))
  return route.access.by === 'member' ? [...own, PROJECT_HEADER] : own
}

const SUCCESS = {
  200: 'Done',
  201: 'Created',
  202: 'Begun',
  204: 'Gone; no body',
  303: 'Go on at `Location`',
}

function successOf(route: Route, names: ReadonlyMap<z.ZodType, string>): Json {
  const description = SUCCESS[route.status]
  const type = ANSWER_TYPES[route.produces ?? 'json']
  if (route.answer === undefined) {
    if (route.produces === undefined) return { [route.status]: { description } }
    const content = { [type]: { schema: { type: 'string' } } }
    return { [route.status]: { description, content } }
  }
  const schema = refTo(names.get(route.answer) as string)
  return { [route.status]: { description, content: { [type]: { schema } } } }
}

function errorsOf(route: Route): Json {
  const codes = new Set<ErrorCode>(['NOT_FOUND', 'INTERNAL', 'UNAVAILABLE'])
  for (const code of accessErrors(route.access)) codes.add(code)
  if (route.query !== undefined || route.headers !== undefined) codes.add('BAD_REQUEST')
  if (route.body !== undefined) {
    for (const code of ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      codes.add(code)
    codes.add(route.invalidBody ?? 'BAD_REQUEST')
  }
  for (const code of route.errors ?? []) codes.add(code)
  const byStatus = Object.groupBy(codes, (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group]) => {
      if (route.produces === 'scim') return [status, { $ref: '#/components/responses/SCIM_ERROR' }]
      const [only, ...more] = group
      const named = { $ref: `#/components/responses/${only}` }
      return [status, more.length === 0 ? named : errorAnswer(Number(status), group)]
    }),
  )
}

function accessErrors(access: Access): ErrorCode[] {
  if (access.by === 'scim-token') return ['UNAUTHORIZED']
  if (access.by === 'sub-account')
    return ['UNAUTHORIZED', 'SESSION_EXPIRED', 'FORBIDDEN', 'PLAN_REQUIRED', 'RATE_LIMITED']
  // A page of another origin is refused.
  if (access.by === 'anyone') return access.crossSite === true ? [] : ['FORBIDDEN']
  const codes: ErrorCode[] = ['UNAUTHORIZED', 'MFA_REQUIRED', 'FORBIDDEN', 'RATE_LIMITED']
  if (access.by !== 'member') return codes
  if (access.feature !== undefined) codes.push('PLAN_REQUIRED')
  if (access.verifiedEmail === true) codes.push('EMAIL_NOT_VERIFIED')
  return codes
}

/** One response component per code, for statuses that have only one code on a route. */
function errorResponses(): Json {
  return Object.fromEntries(
    Object.entries(ERROR_STATUS).map(([code, status]) => [
      code,
      errorAnswer(status, [code as ErrorCode]),
    ]),
  )
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds', schema: { type: 'integer', minimum: 1 } },
}
const RATE_HEADERS = {
  'X-RateLimit-Limit': { description: 'Requests a second', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left at once', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'Unix seconds when all are back',
    schema: { type: 'integer' },
  },
  ...RETRY_AFTER,
}

function errorAnswer(status: number, codes: readonly ErrorCode[]): Json {
  const answer: Json = {
    description: codes.join(', '),
    content: {
      'application/json': {
        schema: {
          allOf: [refTo('Error'), { type: 'object', properties: { code: { enum: codes } } }],
        },
      },
    },
  }
  if (status === 429) answer.headers = RATE_HEADERS
  if (status === 503) answer.headers = RETRY_AFTER
  return answer
}

/** Clients of SCIM know its own errors alone. */
function scimError(): Json {
  const schema = {
    type: 'object',
    required: ['schemas', 'status', 'detail'],
    properties: {
      schemas: { type: 'array', items: { type: 'string' } },
      status: { type: 'string' },
      scimType: { type: 'string' },
      detail: { type: 'string' },
    },
  }
  return {
    description: 'The error as RFC 7644 has it',
    content: { [ANSWER_TYPES.scim]: { schema } },
  }
}

function errorSchema(): Json {
  const problem = {
    type: 'object',
    required: ['path', 'message'],
    properties: { path: { type: 'string' }, message: { type: 'string' } },
  }
  return {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'What failed, on what, and what to do.' },
      code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
      returnUrl: {
        type: 'string',
        description: 'Of a failed session in the portal: where it leads back to.',
      },
      subAccountId: { type: 'string' },
      details: {
        description: 'The failing fields; for CONFLICT and INTERNAL an object.',
        anyOf: [{ type: 'array', items: problem }, { type: 'object' }],
      },
    },
  }
}
