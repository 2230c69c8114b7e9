/**
 * What an SDK offers, from the OpenAPI document: one method for each route that an API key may
 * call, in resources named after the paths.
 */
import { openApiDocument } from '@posthorn/contracts/openapi'
import { routeCatalog, type Route } from '@posthorn/contracts/routes'
import { API } from '@posthorn/contracts/route'
import type { Schema } from './type-text.ts'

export interface Operation {
  /** `endpoints` */
  resource: string
  /** `rotateSecret` */
  method: string
  httpMethod: string
  /** `/api/v1/endpoints/{id}/rotate-secret` */
  path: string
  summary: string
  pathParameters: string[]
  query: { name: string; schema: Schema; required: boolean; description?: string }[]
  body: Schema | undefined
  bodyOptional: boolean
  /** undefined: 204. */
  answer: Schema | undefined
  /** The type of the records of a list with a cursor. */
  item: Schema | undefined
  /** It takes `X-Idempotency-Key`. */
  hasKey: boolean
}

interface DocumentedOperation {
  summary: string
  parameters: {
    name: string
    in: string
    required: boolean
    schema: Schema
    description?: string
  }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface ApiDescription {
  operations: Operation[]
  schemas: Record<string, Schema>
}

/** Where the rule below says nothing sensible. */
const METHOD_NAMES: Record<string, string> = {
  pollEvents: 'receive',
  ackPolled: 'ack',
  createBatch: 'createBatch',
  retryBatch: 'replayBatch',
  verifyInbound: 'verify',
  listInboundPresets: 'list',
  checkOut: 'checkout',
  listEgressIps: 'list',
  getEntitlements: 'get',
}

export function describeApi(): ApiDescription {
  const document = openApiDocument('Service', '1') as {
    paths: Record<string, Record<string, DocumentedOperation>>
    components: { schemas: Record<string, Schema> }
  }
  const { schemas } = document.components
  const operations = Object.entries(routeCatalog('Service') as Record<string, Route>)
    .filter(([, route]) => isForKeys(route))
    .map(([name, route]) => {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      const documented = document.paths[path]?.[route.method.toLowerCase()]
      if (documented === undefined) throw new Error(`${name} is not in the OpenAPI document`)
      return toOperation(name, route, path, documented, schemas)
    })
  return { operations, schemas }
}

function isForKeys({ path, access }: Route): boolean {
  return path.startsWith(API) && access.by === 'member' && access.sessionOnly !== true
}

function toOperation(
  name: string,
  route: Route,
  path: string,
  documented: DocumentedOperation,
  schemas: Record<string, Schema>,
): Operation {
  const resource = camel(path.slice(API.length + 1).split('/')[0] ?? '')
  const answer = Object.values(documented.responses[String(route.status)]?.content ?? {})[0]?.schema
  const body = Object.values(documented.requestBody?.content ?? {})[0]?.schema
  return {
    resource,
    method: METHOD_NAMES[name] ?? methodOf(name, resource),
    httpMethod: route.method,
    path,
    summary: documented.summary,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter as string),
    query: documented.parameters.filter((parameter) => parameter.in === 'query'),
    body,
    bodyOptional: route.bodyOptional === true,
    answer,
    item: itemOf(answer, documented, schemas),
    hasKey: route.headers?.some((header) => header.name === 'X-Idempotency-Key') ?? false,
  }
}

/** `rotateEndpointSecret` of `endpoints` is `rotateSecret`. */
function methodOf(name: string, resource: string): string {
  const plural = resource.charAt(0).toUpperCase() + resource.slice(1)
  const singular = plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.replace(/s$/, '')
  for (const noun of [plural, singular]) {
    const short = name.replace(noun, '')
    if (short !== name && short !== '') return short
  }
  return name
}

export function camel(text: string): string {
  return text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function itemOf(
  answer: Schema | undefined,
  { parameters }: DocumentedOperation,
  schemas: Record<string, Schema>,
): Schema | undefined {
  if (!parameters.some(({ name }) => name === 'cursor')) return undefined
  const page = answer?.$ref === undefined ? answer : schemas[answer.$ref.split('/').at(-1) ?? '']
  return page?.properties?.['data']?.items
}

/** The schemas that the methods refer to, and those that these refer to. */
export function reachable(
  schemas: Record<string, Schema>,
  operations: readonly Operation[],
): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value ?? null).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (name === undefined || found.has(name)) continue
      found.add(name)
      visit(schemas[name])
    }
  }
  for (const { body, answer, query } of operations) visit([body, answer, query])
  return found
}
