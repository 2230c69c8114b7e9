/**
 * Nobody reads or changes what is another's: every route of the catalog, called with the ids of
 * another workspace, and of another project by a key bound to one, in each place of its path, query
 * and body that takes an id. Which places these are is read from the catalog's schemas, so a new
 * route is in it; one whose id is of an unknown kind fails here.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openApiDocument } from '@posthorn/contracts/openapi'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { openPool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { addWorkspace } from './add-workspace.ts'
import type { Answer } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

/**
 * Those of a workspace's resources that a key may call; what is for people alone has tests of its
 * own.
 */
const routes = (Object.entries(routeCatalog('Service')) as [string, Route][]).filter(
  ([, { access }]) => access.by === 'member' && access.sessionOnly !== true,
)
/** Stands in all that the owner makes: whoever else sees it sees too much. */
const MARK = 'only-for-its-owner'
/** What a route asks for before it looks anything up. */
const QUERIES: Readonly<Record<string, string>> = { diffEndpointVersions: 'v1=1&v2=1' }
/** What the owner has done itself is counted up to five seconds later, and time goes on. */
const COUNTED = new Set([
  'getCurrentUsage',
  'getUsageHistory',
  'listAuditLogs',
  'getAnalyticsSummary',
  'getAnalyticsOutcomes',
  'getAnalyticsThroughput',
  'getAnalyticsLatency',
  'getAnalyticsFailures',
  'getEndpointHealth',
  'getStats',
  'getRateLimits',
  'getEndpointRateLimit',
])
const PEM = '-----BEGIN CERTIFICATE-----'

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
type Owned = Record<Kind | 'name' | 'n', string>
type Caller = (method: string, path: string, body?: unknown) => Promise<Answer>

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
}
/** Ids that are the sender's own, or another system's. */
const FREE =
  /^testTransformation event\.id$|\.(accessKeyId|clientId|idpEntityId)$| (externalId|planId)$/

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
function idPlaces(name: string, root: Json | undefined): Place[] {
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

function operationOf({ path, method }: Route) {
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

function pathWith(name: string, route: Route, owned: Owned): string {
  const parts = route.path.split('/')
  return parts
    .map((part, at) => {
      if (!part.startsWith(':')) return part
      const parameter = part.slice(1)
      if (parameter === 'name' || parameter === 'n') return owned[parameter]
      const kind = KINDS[parameter] ?? COLLECTIONS[parts[at - 1] ?? '']
      if (kind === undefined)
        throw new Error(`${name}: say in COLLECTIONS what ${part} is the id of`)
      return owned[kind]
    })
    .join('/')
}

describe('what is another’s', () => {
  let receiver: Receiver
  let posthorn: SharedProduct

  beforeAll(async () => {
    receiver = await startReceiver()
    receiver.answer(({ path }) => ({ status: path.includes('gone') ? 400 : 200 }))
    posthorn = await joinProduct('standalone')
  }, 150_000)

  afterAll(async () => {
    await posthorn.leave()
    await receiver.close()
  }, 60_000)

  function as(key: string, projectId?: string): Caller {
    const project: Record<string, string> =
      projectId === undefined ? {} : { 'X-Project-ID': projectId }
    return (method, path, body) =>
      posthorn.call(method, path, body, {
        'X-API-Key': key,
        'X-Idempotency-Key': randomUUID(),
        ...project,
      })
  }

  /** There is no route that makes one. */
  async function makeWorkspace(): Promise<string> {
    const client = openPool({
      url: posthorn.databaseUrl,
      max: 1,
      name: 'test',
      onError: () => undefined,
    })
    const { apiKey } = await addWorkspace(client, posthorn.dataDir, MARK)
    await client.end()
    return apiKey
  }

  async function made(answer: Promise<Answer>): Promise<Answer['body']> {
    const { status, body, text } = await answer
    if (status < 200 || status > 299) throw new Error(`${status} ${text}`)
    return body
  }

  /** One of each kind, with events that are dead, delivered and waiting for a poll. */
  async function fill(call: Caller): Promise<Owned> {
    // The name of an event type and of a connector.
    const type = `${MARK}-${randomUUID()}`
    const at = `${receiver.url}/${MARK}`
    const payload = { mark: MARK }
    const endpoint = await made(
      call('POST', '/api/v1/endpoints', { url: at, eventTypes: [type], description: MARK }),
    )
    const polled = { url: `poll://${MARK}`, eventTypes: [type], deliveryMode: 'poll' }
    await made(call('POST', '/api/v1/endpoints', polled))
    const eventType = await made(
      call('POST', '/api/v1/event-types', { name: type, description: MARK }),
    )
    const apiKey = await made(
      call('POST', '/api/v1/api-keys', { name: MARK, scopes: ['events:read'] }),
    )
    const project = await made(call('POST', '/api/v1/projects', { name: MARK }))
    await made(call('POST', '/api/v1/events', { eventType: type, payload }))
    const dead = await made(
      call('POST', '/api/v1/events', { destination: `${at}/gone`, payload, maxAttempts: 1 }),
    )
    const attempt = await eventually(
      async () => {
        const event = await made(call('GET', `/api/v1/events/${dead.id}`))
        expect(event.status).toBe('dead')
        return event.deliveryAttempts[0]
      },
      { timeoutMs: 30_000 },
    )
    const inbound = await made(
      call('POST', '/api/v1/inbound-endpoints', {
        name: MARK,
        source: 'stripe',
        sourceConfig: { secret: MARK },
        destinationIds: [endpoint.id],
      }),
    )
    const member = await made(
      call('POST', '/api/v1/team/invite', { email: `${randomUUID()}@${MARK}`, role: 'viewer' }),
    )
    const subAccount = await made(
      call('POST', '/api/v1/sub-accounts', { externalId: randomUUID(), name: MARK }),
    )
    const session = await made(
      call('POST', `/api/v1/sub-accounts/${subAccount.id}/sessions`, {
        returnURL: `https://${MARK}.example`,
      }),
    )
    const connection = await made(
      call('POST', '/api/v1/sso/connections', {
        type: 'oidc',
        name: MARK,
        oidc: { issuer: 'https://idp.example.com', clientId: MARK, clientSecret: MARK },
      }),
    )
    const domain = await made(
      call('POST', '/api/v1/sso/domains', { domain: `${randomUUID()}.${MARK}.example` }),
    )
    const scimToken = await made(call('POST', '/api/v1/scim-tokens', { name: MARK }))
    const webhookUrl = `https://${MARK}.example/alerts`
    await made(
      call('POST', '/api/v1/connectors', { name: type, type: 'slack', config: { webhookUrl } }),
    )
    const rule = await made(
      call('POST', '/api/v1/alerting/rules', {
        name: MARK,
        // Otherwise it shows when it was last evaluated.
        enabled: false,
        condition: { metric: 'delivery_count', operator: 'lt', value: 0 },
        connectorName: type,
        endpointId: endpoint.id,
      }),
    )
    const replay = await made(
      call('POST', `/api/v1/endpoints/${endpoint.id}/replay`, { since: '2020-01-01T00:00:00Z' }),
    )
    await eventually(async () =>
      expect((await made(call('GET', `/api/v1/replays/${replay.id}`))).status).toBe('done'),
    )
    return {
      endpoint: endpoint.id,
      event: dead.id,
      delivery: attempt.id,
      'event-type': eventType.id,
      'api-key': apiKey.id,
      project: project.id,
      replay: replay.id,
      'inbound-endpoint': inbound.id,
      member: member.userId,
      'sub-account': subAccount.id,
      'sub-account-session': session.id,
      'sso-connection': connection.id,
      'sso-domain': domain.id,
      'scim-token': scimToken.id,
      'alert-rule': rule.id,
      name: type,
      n: '1',
    }
  }

  /** All that the owner can read, as it stands. */
  async function everything(call: Caller, owned: Owned): Promise<Record<string, string>> {
    const seen: Record<string, string> = {}
    for (const [name, route] of routes) {
      // A poll changes what it reads.
      if (route.method !== 'GET' || route.waits === true || COUNTED.has(name)) continue
      const answer = await call('GET', `${pathWith(name, route, owned)}?${QUERIES[name] ?? ''}`)
      expect({ name, status: answer.status }).toEqual({ name, status: 200 })
      seen[name] = answer.text
    }
    return seen
  }

  function expectNothing(what: string, answer: Answer, statuses: readonly number[]): void {
    expect({ what, text: answer.text, fits: statuses.includes(answer.status) }).toEqual({
      what,
      text: answer.text,
      fits: true,
    })
    expect({ what, seen: answer.text.includes(MARK) }).toEqual({ what, seen: false })
  }

  async function tryAll(stranger: Caller, owned: Owned, tells: (name: string) => boolean) {
    let tried = 0
    for (const [name, route] of routes) {
      const path = pathWith(name, route, owned)
      const query = QUERIES[name] ?? ''
      const body = route.body === undefined ? undefined : (route.example as object)
      const schemas = operationOf(route)
      if (path !== route.path && tells(name)) {
        const answer = await stranger(route.method, `${path}?${query}`, body)
        // A certificate is read before its endpoint is looked for, and an example can't hold one.
        const isPem = JSON.stringify(body ?? '').includes(PEM)
        expectNothing(name, answer, isPem ? [400, 404] : [404])
        tried += 1
      }
      for (const { path: at, kind } of idPlaces(name, schemas.query)) {
        const answer = await stranger(
          route.method,
          `${path}?${at.join('.')}=${owned[kind]}&timeout=1`,
          body,
        )
        // The answer is the one for an id that nobody has: nothing, or that there is nothing.
        expectNothing(`${name}?${at.join('.')}`, answer, [200, 400, 404])
        if (answer.status === 200) expect(answer.text).not.toContain(owned[kind])
        tried += 1
      }
      for (const place of idPlaces(name, schemas.body)) {
        const given = place.many ? [owned[place.kind]] : owned[place.kind]
        const forms = [
          { ...body, [place.path[0] as string]: given },
          { [place.path[0] as string]: given },
        ]
        for (const form of forms) {
          const answer = await stranger(route.method, path, form)
          expectNothing(`${name} ${place.path.join('.')}`, answer, [200, 400, 403, 404])
          if (answer.status === 200) expect(answer.body).toMatchObject(NOTHING_DONE[name] ?? {})
          tried += 1
        }
      }
      if (path === route.path && route.method === 'GET' && tells(name)) {
        expectNothing(`${name} (all)`, await stranger('GET', `${path}?${query}`), [200, 400, 403])
        tried += 1
      }
    }
    return tried
  }

  /** How a route says that it found none of what it was given. */
  const NOTHING_DONE: Readonly<Record<string, object>> = {
    retryBatch: { retried: 0, eventIds: [] },
    ackPolled: { acknowledged: [] },
  }

  test('another workspace’s is not there, and stays as it is', async () => {
    const owner = as(await makeWorkspace())
    const owned = await fill(owner)
    const before = await everything(owner, owned)
    const tried = await tryAll(as(posthorn.apiKey), owned, () => true)
    expect(tried).toBeGreaterThan(routes.filter(([, { path }]) => path.includes('/:')).length)
    expect(await everything(owner, owned)).toEqual(before)
  }, 90_000)

  test('nor as its own project', async () => {
    const theirs = await made(as(await makeWorkspace())('GET', '/api/v1/projects'))
    const project = theirs.data[0].id as string
    for (const [name, route] of routes) {
      const path = route.path.replace(':name', 'x').replaceAll(/:[A-Za-z]+/g, randomUUID())
      const stranger = as(posthorn.apiKey, project)
      const answer = await stranger(route.method, path, route.body && route.example)
      expect({ name, status: answer.status }).toEqual({ name, status: 404 })
    }
  }, 60_000)

  test('another project’s is not there for a key that is bound to one', async () => {
    const all = as(posthorn.apiKey)
    const other = await made(all('POST', '/api/v1/projects', { name: 'Other' }))
    const own = await made(all('POST', '/api/v1/projects', { name: 'Own' }))
    const owner = as(posthorn.apiKey, other.id)
    const owned = await fill(owner)
    const bound = await made(
      as(posthorn.apiKey, own.id)('POST', '/api/v1/api-keys', { name: 'bound', scopes: ['*'] }),
    )
    const before = await everything(owner, owned)
    // Projects, people, their ways to sign in and sub-accounts are the workspace's, and so is what
    // tells of them.
    const tells = (name: string): boolean =>
      !/project|team|member|subAccount|sso|scim|billing/i.test(name)
    await tryAll(as(bound.key), owned, tells)
    expect(await everything(owner, owned)).toEqual(before)
  }, 90_000)
})
