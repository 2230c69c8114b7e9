/**
 * The places of a route's path, query and body that take an id, and of what kind, as the catalog's
 * schemas have them.
 */
import { openApiDocument } from '@posthorn/contracts/openapi'
import type { Route } from '@posthorn/contracts/routes'

type Kind =
  | 'endpoint'
  | 'event'
  | 'delivery'
  | 'event-type'
  | 'api-key'
  | 'project'
  | 'replay'
  | 'inbound-endpoint'
  | 'member'
  | 'sub-account'
  | 'sub-account-session'
  | 'sso-connection'
  | 'sso-domain'
  | 'scim-token'
  | 'alert-rule'
  // People's alone.
  | 'subject-job'
  | 'user-session'
  | 'passkey'
  | 'workspace'
/** Ids of kinds, the name of an event type and of a connector, and a version. */
export type Owned = Partial<Record<Kind | 'name' | 'n', string>>

export function idOf(owned: Owned, kind: keyof Owned): string {
  const id = owned[kind]
  if (id === undefined) throw new Error(`the owner has no ${kind}: make one`)
  return id
}

/** What kind of id a field or parameter of this name takes. */
const KINDS: Readonly<Record<string, Kind>> = {
  endpoint_id: 'endpoint',
  endpointId: 'endpoint',
  destinationIds: 'endpoint',
  eventId: 'event',
  event_ids: 'event',
  eventIds: 'event',
  deliveryId: 'delivery',
  userId: 'member',
  sessionId: 'sub-account-session',
  breakGlassUserId: 'member',
  ruleId: 'alert-rule',
  clientId: 'workspace',
}
/** `:id`, by what stands before it. */
const COLLECTIONS: Readonly<Record<string, Kind>> = {
  endpoints: 'endpoint',
  'event-types': 'event-type',
  'api-keys': 'api-key',
  projects: 'project',
  replays: 'replay',
  'inbound-endpoints': 'inbound-endpoint',
  'sub-accounts': 'sub-account',
  connections: 'sso-connection',
  domains: 'sso-domain',
  'scim-tokens': 'scim-token',
  rules: 'alert-rule',
  jobs: 'subject-job',
  sessions: 'user-session',
  passkeys: 'passkey',
}
/** Ids that are the sender's own, or another system's. */
const FREE =
  /^testTransformation event\.id$|^registerPasskey response\.|\.(accessKeyId|clientId|idpEntityId)$| (externalId|planId)$/

interface Place {
  path: string[]
  kind: Kind
  many: boolean
}

const document = openApiDocument('Service', '0') as {
  paths: Record<string, Record<string, { parameters: Json[]; requestBody?: Json }>>
  components: { schemas: Record<string, Json> }
}

/** Fields of a body or query that take ids: `id`, `…Id`, `…_id`, and lists of them. */
export function idPlaces(name: string, root: Json | undefined): Place[] {
  const found: Place[] = []
  const visit = (given: Json, path: string[]): void => {
    const node = resolve(given)
    for (const form of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) visit(form, path)
    if (node.items !== undefined) visit(node.items, path)
    for (const [field, below] of Object.entries(node.properties ?? {})) {
      const here = [...path, field]
      if (typeof below !== 'object') continue
      if (/^ids?$|[a-z]Ids?$|_ids?$/.test(field) && !FREE.test(`${name} ${here.join('.')}`)) {
        const kind = KINDS[field]
        if (kind === undefined)
          throw new Error(`${name}: say in KINDS what ${here.join('.')} is the id of`)
        found.push({ path: here, kind, many: field.endsWith('s') })
      }
      visit(below, here)
    }
  }
  if (root !== undefined) visit(root, [])
  return found
}

function resolve(node: Json): Json {
  const name = node.$ref?.split('/').at(-1)
  return name === undefined ? node : (document.components.schemas[name] as Json)
}

export function operationOf({ path, method }: Route) {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`)
  const query = operation.parameters.filter((one) => one.in === 'query')
  return {
    query: { properties: Object.fromEntries(query.map((one) => [one.name, one.schema ?? {}])) },
    body: operation.requestBody?.content?.['application/json']?.schema,
  }
}

/** The parts of the document that are looked at here. */
interface Json {
  $ref?: string
  anyOf?: Json[]
  oneOf?: Json[]
  items?: Json
  properties?: Record<string, Json>
  in?: string
  name?: string
  schema?: Json
  content?: Record<string, { schema: Json }>
}

export function pathWith(name: string, route: Route, owned: Owned): string {
  const parts = route.path.split('/')
  return parts
    .map((part, at) => {
      if (!part.startsWith(':')) return part
      const parameter = part.slice(1)
      if (parameter === 'name' || parameter === 'n') return idOf(owned, parameter)
      const kind = KINDS[parameter] ?? COLLECTIONS[parts[at - 1] ?? '']
      if (kind === undefined)
        throw new Error(`${name}: say in COLLECTIONS what ${part} is the id of`)
      return idOf(owned, kind)
    })
    .join('/')
}
