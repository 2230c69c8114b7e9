/** The service over a database and a port of its own, with tenants to call it as. For tests. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import type { BusEvents } from '@posthorn/bus/bus'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import { type Route, type RouteName, routeCatalog } from '@posthorn/contracts/routes'
import type { MessageOf, TopicName } from '@posthorn/contracts/topics'
import { apiKeyPrefix, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { newId } from '@posthorn/domain/ids'
import { createDestinationChecker } from '@posthorn/egress/check-destination'
import { openAccess } from '@posthorn/boot/http'
import { openPortalSessions } from '@posthorn/boot/portal'
import { createAuthenticate } from '@posthorn/http/authenticate'
import { createErrorAnswerer } from '@posthorn/http/errors'
import { createHttpServer, type HttpServer } from '@posthorn/http/http-server'
import type { PortalSessions } from '@posthorn/http/portal-sessions'
import type { Router } from '@posthorn/http/router'
import type { ServeDeps } from '@posthorn/http/serve'
import type { Settings } from '@posthorn/runtime/config'
import { createInProcessState } from '@posthorn/state/in-process-state'
import { findApiKeys } from '@posthorn/store/find-api-key'
import { findScimTokens } from '@posthorn/store/find-scim-token'
import { extendSession, findSessions } from '@posthorn/store/find-session'
import { createChangedTenants } from '@posthorn/store/changed-tenants'
import { findSubAccounts } from '@posthorn/store/find-sub-account'
import { ensurePartitions } from '@posthorn/store/partitions'
import { isUnavailable, openPool, type Pool } from '@posthorn/store/pool'
import { createSeal } from '@posthorn/store/seal'
import { createUsageMeter, type UsageMeter } from '@posthorn/store/usage/usage-meter'
import { type PostgresLink, ofThisRealm, openPostgresLink } from '@posthorn/testing/postgres-link'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createIngestApi } from './app.ts'

/** A parsed JSON answer. Tests read it as the type they expect. */
type Loose = ReturnType<typeof JSON.parse>

export interface ApiResponse {
  status: number
  headers: Headers
  body: Loose
  text: string
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse>

export interface Tenant {
  tenantId: string
  projectId: string
  key: string
  call: Call
  /** POST /events with a new idempotency key. */
  post(body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
}

export interface TestIngest {
  pool: Pool
  port: number
  announced: { topic: TopicName; message: Loose }[]
  accepted: Record<string, unknown>[]
  failures: unknown[]
  requests: { route: string; status: number }[]
  /** Queries for API keys: their number, and the most that ran at once. */
  lookups: { queries: number; underWay: number; most: number }
  usage: UsageMeter
  /** The buckets that were asked for a token, and those that have none. */
  buckets: { asked: string[]; empty: Set<string> }
  /** The sessions of sub-accounts, as this service knows them. */
  portal: PortalSessions
  addTenant(key?: KeyFields): Promise<Tenant>
  addProject(tenantId: string): Promise<string>
  addKey(tenantId: string, key?: KeyFields): Promise<string>
  callAs(apiKey: string): Call
  announceChange(tenantId: string): void
  /** Cuts and restores the connection to Postgres. */
  postgres: Pick<PostgresLink, 'cut' | 'swallow' | 'repair'>
  close(): Promise<void>
}

interface KeyFields {
  scopes?: string[]
  rateLimit?: number
  expiresAt?: string
  projectId?: string
}

const PUBLIC_URL = 'https://hooks.example.com'
const ACCESS = {
  BRAND: 'Service',
  DEFAULT_PLAN: 'self_hosted',
  TRUSTED_PROXIES: 0,
  PORTAL_URL: undefined,
  SUBACCOUNT_JWT_SECRET: undefined,
  SUBACCOUNT_CROSS_SITE_EMBED: false,
  SUBACCOUNT_ALLOWED_FRAME_ANCESTORS: [],
} satisfies Partial<Settings>
export const PAYLOAD_LIMIT = 256 * 1024
const NO_TOKEN = { allowed: false, remaining: 0, retryAfterMs: 20, resetMs: 1_000 }
const SILENT = { debug() {}, info() {}, warn() {}, error() {}, flush() {} }

/** The service of a test file and the tenant of a test, as `useIngest` sets them. */
export let ingest: TestIngest
export let tenant: Tenant

/** Starts the service for the tests of a file, with a new tenant for each of them. */
export function useIngest(): void {
  beforeAll(async () => {
    ingest = await startTestIngest()
  })
  beforeEach(async () => {
    tenant = await ingest.addTenant()
    ingest.announced.length = 0
  })
  afterAll(async () => await ingest.close())
  afterEach(() => expect(ingest.failures).toEqual([]))
}

const SEAL = createSeal([Buffer.alloc(32, 7).toString('base64')])

export async function startTestIngest(): Promise<TestIngest> {
  const store = await createTestDatabase()
  const postgres = await openPostgresLink(new URL(store.url))
  const pool = openPool({ url: postgres.url, max: 4, name: 'test', onError: () => {} })
  await ensurePartitions(pool, new Date())
  const failures: unknown[] = []
  const events: BusEvents = {
    onPoison: (entry) => failures.push(entry),
    onError: (error) => failures.push(error),
    onFatal: (error) => failures.push(error),
  }
  const bus = createInProcessBus({}, events)
  const announced: TestIngest['announced'] = []
  const accepted: TestIngest['accepted'] = []
  const requests: TestIngest['requests'] = []
  const state = createInProcessState()
  const lookups = { queries: 0, underWay: 0, most: 0 }
  const buckets: TestIngest['buckets'] = { asked: [], empty: new Set() }
  const takeToken: ServeDeps['takeToken'] = async (bucket, perSecond) => {
    buckets.asked.push(bucket)
    const taken = await state.takeToken(bucket, perSecond)
    return buckets.empty.has(bucket) ? NO_TOKEN : taken
  }
  const portal = openPortalSessions({ pool, seal: SEAL, settings: ACCESS }, PUBLIC_URL)
  const usage = createUsageMeter({ pool, now: Date.now, log: SILENT })
  const { router, service } = createIngestApi(
    { brand: 'Service', maxPayloadBytes: PAYLOAD_LIMIT },
    {
      pool,
      bus: { ...bus, announce: (topic, messages) => record(topic, messages) },
      ...openAccess({ pool, state, settings: ACCESS }, PUBLIC_URL),
      authenticate: createAuthenticate(
        { brand: ACCESS.BRAND, publicOrigin: PUBLIC_URL, defaultPlan: ACCESS.DEFAULT_PLAN },
        {
          findKeys: countLookups(pool, lookups),
          findSessions: (digests) => findSessions(pool, digests),
          findScimTokens: (digests) => findScimTokens(pool, digests),
          findSubAccounts: (references) => findSubAccounts(pool, references),
          changedTenants: createChangedTenants(pool),
          extendSession: (digest, expiresAt) => extendSession(pool, digest, expiresAt),
          now: Date.now,
        },
      ),
      takeToken,
      portal,
      usage,
      checkDestination: createDestinationChecker({ allowCidrs: [], requireHttps: false }),
      log: { ...SILENT, info: (_name, fields = {}) => void accepted.push(fields) },
      metrics: { count: () => {} },
    },
  )
  function record<Name extends TopicName>(
    topic: Name,
    messages: readonly MessageOf<Name>[],
  ): number {
    for (const message of messages) announced.push({ topic, message })
    return bus.announce(topic, messages)
  }
  await service.start()
  const server = createServer(router, failures, requests)
  const port = await server.listen('127.0.0.1', 0)
  const callAs = (apiKey: string): Call => createCall(`http://127.0.0.1:${port}`, apiKey)
  return {
    pool,
    portal,
    usage,
    buckets,
    postgres,
    port,
    announced,
    accepted,
    failures,
    requests,
    lookups,
    callAs,
    addProject: (tenantId) => addProject(pool, tenantId, false),
    addKey: (tenantId, key) => addKey(pool, tenantId, key),
    addTenant: async (fields) => await addTenant(pool, callAs, fields),
    announceChange: (tenantId) =>
      void bus.announce('config.changed', [{ v: 1, tenantId, what: 'event-types' }]),
    async close() {
      await server.close(1_000)
      await service.stop(1_000)
      await bus.close(1_000)
      await pool.end()
      await postgres.close()
      await store.drop()
    },
  }
}

function createServer(
  router: Router,
  failures: unknown[],
  requests: TestIngest['requests'],
): HttpServer {
  return createHttpServer({
    routers: [router],
    routes: Object.values(routeCatalog('Service')) as Route[],
    operations: {
      isReady: () => true,
      health: async () => ({
        ok: false,
        checks: [{ name: 'postgres', ok: false, detail: 'gone' }],
      }),
      metrics: async () => ({ contentType: 'text/plain; version=0.0.4', body: 'up 1\n' }),
    },
    document: () => ({ openapi: '3.1.0' }),
    answerError: createErrorAnswerer({
      isUnavailable: (error) => isUnavailable(ofThisRealm(error)),
      log: { error: (_name, { error }) => failures.push(error) },
    }),
    observe: ({ route, status }) => requests.push({ route, status }),
  })
}

function countLookups(pool: Pool, lookups: TestIngest['lookups']) {
  return async (digests: Parameters<typeof findApiKeys>[1]) => {
    lookups.queries += 1
    lookups.underWay += 1
    lookups.most = Math.max(lookups.most, lookups.underWay)
    try {
      return await findApiKeys(pool, digests)
    } finally {
      lookups.underWay -= 1
    }
  }
}

async function addTenant(
  pool: Pool,
  callAs: TestIngest['callAs'],
  fields?: KeyFields,
): Promise<Tenant> {
  const tenantId = newId()
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret)
      VALUES ($1, 'T', 'self_hosted', 'sealed')`,
    [tenantId],
  )
  const projectId = await addProject(pool, tenantId, true)
  const key = await addKey(pool, tenantId, fields)
  const call = callAs(key)
  const post: Tenant['post'] = (body, headers = {}) =>
    call('POST', '/api/v1/events', body, { 'X-Idempotency-Key': newId(), ...headers })
  return { tenantId, projectId, key, call, post }
}

function createCall(base: string, apiKey: string): Call {
  return async (method, path, body, headers = {}) => {
    const given: Record<string, string> = { 'X-API-Key': apiKey, Connection: 'close', ...headers }
    const request: RequestInit = { method, headers: given }
    if (body !== undefined) {
      request.body =
        typeof body === 'string' || body instanceof Uint8Array
          ? (body as string)
          : JSON.stringify(body)
      request.headers = { 'Content-Type': 'application/json', ...given }
    }
    const response = await fetch(base + path, request)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
      text,
    }
  }
}

async function addProject(pool: Pool, tenantId: string, isDefault: boolean): Promise<string> {
  const id = newId()
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
      VALUES ($1, $2, 'P', 'production', $3)`,
    [tenantId, id, isDefault],
  )
  return id
}

async function addKey(pool: Pool, tenantId: string, fields: KeyFields = {}): Promise<string> {
  const key = newApiKey('production')
  const { scopes = ['*'], rateLimit = null, expiresAt = null, projectId = null } = fields
  await pool.query(
    `INSERT INTO api_keys (tenant_id, id, name, key_hash, key_prefix, scopes, rate_limit,
      expires_at, project_id)
      VALUES ($1, $2, 'K', $3, $4, $5, $6, $7, $8)`,
    [
      tenantId,
      newId(),
      hashApiKey(key),
      apiKeyPrefix(key),
      scopes,
      rateLimit,
      expiresAt,
      projectId,
    ],
  )
  return key
}

/** Sets the event's deliveries to `state`, with one attempt each. */
export async function setState(
  pool: Pool,
  eventId: string,
  state: 'waiting' | 'dead' | 'delivered' | 'delivering',
): Promise<void> {
  const open = state === 'waiting' || state === 'delivering' ? 1 : 0
  const reason = state === 'dead' ? 'attempts used up' : null
  await pool.query(
    'UPDATE deliveries SET state = $2, tries = 1, dead_reason = $3 WHERE event_id = $1',
    [eventId, STATE_CODE[state], reason],
  )
  await pool.query(
    `UPDATE events SET open_count = $2, waiting_count = $3, dead_count = $4, delivering_count = $5,
      attempts = 1,
      fanned_out_at = coalesce(fanned_out_at, now()) WHERE id = $1`,
    [
      eventId,
      open,
      Number(state === 'waiting'),
      Number(state === 'dead'),
      Number(state === 'delivering'),
    ],
  )
  // Only deliveries that are open keep their row in `due`.
  if (open === 0) await pool.query('DELETE FROM due WHERE id = $1', [eventId])
}

const ROUTES = routeCatalog('Service')

/** Throws unless the answer has the route's status and exactly the fields of its contract. */
export function requireShape(name: RouteName, answer: ApiResponse): void {
  const schema = (ROUTES[name] as { answer?: { strict(): { parse(value: unknown): unknown } } })
    .answer
  if (answer.status !== ROUTES[name].status)
    throw new Error(`${name} answered ${answer.status}: ${answer.text}`)
  schema?.strict().parse(answer.body)
}
