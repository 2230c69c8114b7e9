/**
 * The OpenAPI 3.1 document, made from the route catalog. It holds nothing that the catalog does
 * not, and nothing is written twice. Checks that no schema expresses (a host is not blocked, a
 * script compiles, a certificate and its key belong together) show in the error answers only.
 */
import { z } from 'zod'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'
import { componentSchemas, type Json, schemaNames, tidy } from './openapi-schemas.ts'
import { INBOUND_TAG, inboundPath } from './openapi-inbound.ts'
import { type Route, routeCatalog } from './routes.ts'

const DESCRIPTION = `Accepts events and delivers them as signed webhooks, with retries.

Send your API key in \`X-API-Key\`. Every answer carries \`X-Request-Id\`, every error \`{error, code, details}\`.`

/** @param brand the word in the service's own header names */
export function openApiDocument(brand: string, version: string, baseUrl?: string): Json {
  const routes = Object.entries(routeCatalog(brand)) as [string, Route][]
  const names = schemaNames(routes)
  return {
    openapi: '3.1.0',
    info: { title: 'Posthorn', version, description: DESCRIPTION },
    servers: [{ url: baseUrl ?? '/' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(routes.map(([, route]) => tagOf(route))), INBOUND_TAG].map((name) => ({
      name,
    })),
    paths: { ...toPaths(routes, names), ...inboundPath() },
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      responses: errorResponses(),
      schemas: { ...componentSchemas(routes, names), Error: errorSchema() },
    },
  }
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
    description: `Needs the scope \`${route.scope}\`.`,
    tags: [tagOf(route)],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    responses: { ...successOf(route, names), ...errorsOf(route) },
  }
  if (route.body !== undefined) {
    const content: Json = { schema: refTo(names.get(route.body) as string) }
    if (route.example !== undefined) content.example = route.example
    const required = route.bodyOptional !== true
    operation.requestBody = { required, content: { 'application/json': content } }
  }
  return operation
}

/** The segment after the version: `events`, `endpoints`. */
function tagOf(route: Route): string {
  return route.path.split('/')[3] ?? 'other'
}

function refTo(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

/** Path parameters that are not ids. */
const PATH_PARAMETERS: Record<string, Json> = {
  name: { type: 'string' },
  n: { type: 'integer', minimum: 1 },
}

function pathParameters(route: Route): Json[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: PATH_PARAMETERS[name as string] ?? { type: 'string', format: 'uuid' },
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
  return [...own, PROJECT_HEADER]
}

function successOf(route: Route, names: ReadonlyMap<z.ZodType, string>): Json {
  const description = { 200: 'Done', 201: 'Created', 202: 'Begun', 204: 'Gone; no body' }[
    route.status
  ]
  if (route.answer === undefined) return { [route.status]: { description } }
  const schema = refTo(names.get(route.answer) as string)
  return { [route.status]: { description, content: { 'application/json': { schema } } } }
}

function errorsOf(route: Route): Json {
  const codes = new Set<ErrorCode>([
    'UNAUTHORIZED',
    'FORBIDDEN',
    'NOT_FOUND',
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
  ])
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
      const [only, ...more] = group
      const named = { $ref: `#/components/responses/${only}` }
      return [status, more.length === 0 ? named : errorAnswer(Number(status), group)]
    }),
  )
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
      details: {
        description: 'The failing fields; for CONFLICT and INTERNAL an object.',
        anyOf: [{ type: 'array', items: problem }, { type: 'object' }],
      },
    },
  }
}
