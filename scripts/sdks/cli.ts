/**
 * What the command line takes from the catalog: the tools that `posthorn mcp` offers, and the
 * defaults of endpoints, which a file of configuration may leave out.
 */
import { ENDPOINT_DEFAULTS } from '@posthorn/contracts/endpoints'
import type { ApiDescription, Operation } from './operations.ts'
import type { Schema } from './type-text.ts'

const NOTICE = '// Generated from the route catalog by `npm run sdks`: do not edit.\n'

/** The names of the tools, each for a method of the SDK. */
const TOOLS: Readonly<Record<string, string>> = {
  search_events: 'events.list',
  get_event: 'events.get',
  explain_event: 'events.explain',
  list_event_attempts: 'events.listDeliveries',
  search_attempts: 'deliveries.list',
  get_attempt: 'deliveries.get',
  list_endpoints: 'endpoints.list',
  get_endpoint: 'endpoints.get',
  endpoint_health: 'analytics.getEndpointHealth',
  list_event_types: 'eventTypes.list',
  get_event_type: 'eventTypes.getByName',
  live_stats: 'stats.get',
  failures_by_category: 'analytics.getFailures',
  replay_event: 'events.replay',
}

export function cliTools({ operations }: ApiDescription): string {
  const tools = Object.entries(TOOLS).map(([name, method]) => {
    const operation = operations.find((one) => `${one.resource}.${one.method}` === method)
    if (operation === undefined) throw new Error(`there is no ${method} for the tool ${name}`)
    return toolOf(name, operation)
  })
  return `${NOTICE}
export interface CatalogTool {
  name: string
  description: string
  method: string
  path: string
  query: readonly string[]
  inputSchema: {
    type: 'object'
    properties: Record<string, object>
    required: string[]
    additionalProperties: false
  }
}

export const CATALOG_TOOLS: readonly CatalogTool[] = ${JSON.stringify(tools, null, 2)}
`
}

function toolOf(name: string, operation: Operation) {
  const { path, query, summary, pathParameters, httpMethod } = operation
  const inPath = pathParameters.map((parameter) => [parameter, { type: 'string' }] as const)
  const inQuery = query.map(
    (one) => [one.name, withDescription(one.schema, one.description)] as const,
  )
  const required = [
    ...pathParameters,
    ...query.filter((one) => one.required).map((one) => one.name),
  ]
  return {
    name,
    description: summary,
    method: httpMethod,
    path,
    query: query.map((one) => one.name),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries([...inPath, ...inQuery]),
      required,
      additionalProperties: false,
    },
  }
}

function withDescription(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : { ...schema, description }
}

export function cliDefaults(): string {
  return `${NOTICE}
export const ENDPOINT_DEFAULTS = ${JSON.stringify(ENDPOINT_DEFAULTS, null, 2)} as const
`
}
