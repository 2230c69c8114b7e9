/** The service over a database and a port of its own, with tenants to call it as. For tests. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { createHttpServer, type HttpServer } from '@posthorn/http/http-server'
import type { Router } from '@posthorn/http/router'
import { openAccess } from '@posthorn/boot/http'
import { openPortalSessions } from '@posthorn/boot/portal'
import { createErrorAnswerer } from '@posthorn/http/errors'
import type { Bus } from '@posthorn/bus/bus'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import type { ConfigChanged, DueDelivery } from '@posthorn/contracts/topics'
import { apiKeyPrefix, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import { newSigningSecret } from '@posthorn/domain/signature'
import { createDestinationChecker } from '@posthorn/egress/check-destination'
import { createVerifier } from '@posthorn/inbound/verifier'
import type { Settings } from '@posthorn/runtime/config'
import { createLazySandbox } from '@posthorn/sandbox/lazy-sandbox.fixture'
import { createInProcessState } from '@posthorn/state/in-process-state'
import type { StateStore } from '@posthorn/state/state-store'
import { isUnavailable, openPool, type Pool } from '@posthorn/store/pool'
import { type Database, openPrisma } from '@posthorn/store/prisma'
import { createSeal, type Seal, sealedAt } from '@posthorn/store/seal'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createPortalApi } from './app.ts'
import type { PortalApiDeps } from './portal-api-deps.ts'
import type { SsoSettings } from './sso/sso-deps.ts'
import type { BillingProvider } from './billing/billing-provider.ts'
import { createNoBilling } from './billing/no-billing.ts'
import type { OutgoingMail } from './mail/send-mail.ts'

export interface Tenant {
  tenantId: string
  projectId: string
  keyId: string
  secret: string
  key: string
  call: Call
}

/** A parsed answer. Tests assert its shape. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface ApiResponse {
  status: number
  headers: Headers
  body: Json
  text: string
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse>

export interface TestPortal {
  pool: Pool
  /** The bus on which tests announce what other services would. */
  bus: Bus
  url: string
  waitingPolls(): number
  database: Database
  seal: Seal
  state: StateStore
  /** What was announced so far on `config.changed`. */
  changes: ConfigChanged[]
  /** What was announced so far on the topics of deliveries. */
  deliveries: DueDelivery[]
  lines: LogLine[]
  /** The mails that were sent so far. */
  mails: OutgoingMail[]
  addTenant(): Promise<Tenant>
  callAs(apiKey: string): Call
  configVersion(tenantId: string): Promise<number>
  close(): Promise<void>
}

export interface LogLine {
  name: string
  fields: Record<string, unknown>
}

/** A database as the migrations leave it. */
interface Store {
  url: string
  drop(): Promise<void>
}

/** Requests reach the portal under another address, as behind a gateway. */
export const PUBLIC_URL = 'https://hooks.example.com'
const ACCESS = {
  BRAND: 'Service',
  DEFAULT_PLAN: 'self_hosted',
  TRUSTED_PROXIES: 0,
  PORTAL_URL: undefined,
  SUBACCOUNT_JWT_SECRET: undefined,
  SUBACCOUNT_CROSS_SITE_EMBED: false,
  SUBACCOUNT_ALLOWED_FRAME_ANCESTORS: [],
} satisfies Partial<Settings>
const UNLIMITED = {
  takeToken: async () => ({ allowed: true, remaining: 1, retryAfterMs: 0, resetMs: 0 }),
}
/** The providers of a portal, and the way to them. */
export interface PortalSso {
  settings: SsoSettings
  access: PortalApiDeps['sso']
}
const NO_SSO: PortalSso = {
  settings: {
    providers: [],
    trustedDomains: [],
    defaultPlan: 'self_hosted',
    userAgent: 'Service/9.9.9',
  },
  access: {
    send: () => Promise.reject(new Error('no identity provider is asked')),
    resolveTxt: async () => [],
    mayBePlain: () => false,
    checkDestination: createDestinationChecker({ allowCidrs: [], requireHttps: false }),
  },
}
const EGRESS_IPS = ['203.0.113.7']
const VISIBILITY_MS = 30_000
export const MAX_ENDPOINTS = 40
export const MAX_EVENT_TYPES = 30
export const MAX_INBOUND_ENDPOINTS = 20
export const MAX_PROJECTS = 12
export const MAX_SUB_ACCOUNTS = 15

/** The portal of a test file, its tenant and another one, as `usePortal` sets them. */
export let portal: TestPortal
export let tenant: Tenant
export let other: Tenant

/** Starts a portal for the tests of a file, with a tenant for each of them or one for all. */
export function usePortal(tenants: 'for-each-test' | 'for-all-tests' = 'for-each-test'): void {
  beforeAll(async () => {
    portal = await startTestPortal(await createTestDatabase())
    other = await portal.addTenant()
    if (tenants === 'for-all-tests') tenant = await portal.addTenant()
  })
  afterAll(async () => await portal.close())
  beforeEach(async () => {
    if (tenants === 'for-each-test') tenant = await portal.addTenant()
  })
}

/** Makes another tenant the one that the rest of the test calls as. */
export function actAs(next: Tenant): void {
  tenant = next
}

type PortalSettings = Pick<
  Settings,
  | 'PORTAL_URL'
  | 'SUBACCOUNT_JWT_SECRET'
  | 'SUBACCOUNT_CROSS_SITE_EMBED'
  | 'SUBACCOUNT_ALLOWED_FRAME_ANCESTORS'
>

/** What differs from a portal as it is by default. */
interface PortalParts {
  hasStorageDir?: boolean
  sso?: PortalSso
  billing?: BillingProvider
  settings?: Partial<PortalSettings>
}

/**
 * @param prismaUrl where the service's Prisma looks for its tables; its pool always has the real
 *   ones
 */
export async function startTestPortal(
  store: Store,
  prismaUrl = store.url,
  { hasStorageDir = true, sso = NO_SSO, billing = createNoBilling(), settings }: PortalParts = {},
): Promise<TestPortal> {
  const pool = openPool({ url: store.url, max: 4, name: 'test', onError: () => {} })
  const database = openPrisma(prismaUrl, 4)
  const seal = createSeal([Buffer.alloc(32, 7).toString('base64')])
  const bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const changes: ConfigChanged[] = []
  const collectors: (() => void | Promise<void>)[] = []
  const gauges = new Map<string, number>()
  const deliveries: DueDelivery[] = []
  const lines: LogLine[] = []
  const mails: OutgoingMail[] = []
  const write = (name: string, fields: Record<string, unknown> = {}): void =>
    void lines.push({ name, fields })
  const sandbox = createLazySandbox(
    { brand: 'Service', maxPayloadBytes: 256 * 1024, workers: 1 },
    { onReplaced: fail },
  )
  const state = createInProcessState()
  const { router, service } = createPortalApi(
    {
      brand: 'Service',
      version: '9.9.9',
      egressIps: EGRESS_IPS,
      pollVisibilityMs: VISIBILITY_MS,
      maxEndpoints: MAX_ENDPOINTS,
      maxEventTypes: MAX_EVENT_TYPES,
      maxInboundEndpoints: MAX_INBOUND_ENDPOINTS,
      maxProjects: MAX_PROJECTS,
      maxSubAccounts: MAX_SUB_ACCOUNTS,
      maxPayloadBytes: 256 * 1024,
      hasStorageDir,
      publicUrl: PUBLIC_URL,
      signUp: 'open',
      defaultPlan: ACCESS.DEFAULT_PLAN,
      sso: sso.settings,
    },
    {
      sso: sso.access,
      database,
      pool,
      seal,
      sandbox,
      state,
      clock: { now: Date.now },
      bus: recordingBus(bus, changes, deliveries),
      ...openAccess({ pool, state: UNLIMITED, settings: ACCESS }, PUBLIC_URL),
      portal: openPortalSessions({ pool, seal, settings: { ...ACCESS, ...settings } }, PUBLIC_URL),
      verifier: createVerifier({
        fetchText: (url) => Promise.reject(new Error(`nobody publishes ${url.href}`)),
        now: Date.now,
      }),
      checkDestination: createDestinationChecker({ allowCidrs: [], requireHttps: false }),
      log: { info: write, warn: fail },
      metrics: {
        onScrape: (collect) => void collectors.push(collect),
        set: (name, _labels, value) => void gauges.set(name, value),
        count: () => {},
      },
      sendMail: async (mail) => void mails.push(mail),
      billing,
    },
  )
  await service.start()
  const server = createServer(router)
  const port = await server.listen('127.0.0.1', 0)
  const callAs = (apiKey: string): Call => createCall(`http://127.0.0.1:${port}/api/v1`, apiKey)

  return {
    pool,
    bus,
    url: `http://127.0.0.1:${port}`,
    waitingPolls() {
      for (const collect of collectors) void collect()
      return gauges.get('posthorn_polls_waiting') ?? 0
    },
    database,
    seal,
    state,
    changes,
    deliveries,
    lines,
    mails,
    callAs,
    addTenant: async () => await addTenant(pool, seal, callAs),
    async configVersion(tenantId) {
      const { rows } = await pool.query(
        'SELECT config_version::int AS v FROM tenants WHERE id = $1',
        [tenantId],
      )
      return rows[0].v
    },
    async close() {
      await server.close(1_000)
      await service.stop(1_000)
      await bus.close(1_000)
      await sandbox.close()
      await database.$disconnect()
      await pool.end()
      await store.drop()
    },
  }
}

function recordingBus(
  bus: Bus,
  changes: ConfigChanged[],
  deliveries: DueDelivery[],
): Pick<Bus, 'writable' | 'subscribe' | 'announce'> {
  return {
    writable: () => bus.writable(),
    subscribe: (subscription) => bus.subscribe(subscription),
    announce: (topic, messages) => {
      if (topic === 'config.changed') changes.push(...(messages as readonly ConfigChanged[]))
      if (topic.startsWith('delivery.')) deliveries.push(...(messages as readonly DueDelivery[]))
      return bus.announce(topic, messages)
    },
  }
}

function createServer(router: Router): HttpServer {
  return createHttpServer({
    routers: [router],
    routes: Object.values(routeCatalog('Service')) as Route[],
    operations: {
      isReady: () => true,
      health: async () => ({ ok: true, checks: [] }),
      metrics: async () => ({ contentType: 'text/plain', body: '' }),
    },
    document: () => ({}),
    answerError: createErrorAnswerer({
      isUnavailable,
      log: { error: (_name, { error }) => fail(error) },
    }),
    observe: () => {},
  })
}

function fail(error: unknown): never {
  throw error
}

function createCall(base: string, apiKey: string): Call {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        'X-API-Key': apiKey,
        Connection: 'close',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
      text,
    }
  }
}

async function addTenant(pool: Pool, seal: Seal, callAs: TestPortal['callAs']): Promise<Tenant> {
  const [tenantId, projectId, keyId] = [newId(), newId(), newId()]
  const secret = newSigningSecret()
  const key = newApiKey('production')
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'T', 'self_hosted', $2)`,
    [tenantId, seal.seal(secret, sealedAt('tenants.signing_secret', tenantId))],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
      VALUES ($1, $2, 'Default', 'production', true)`,
    [tenantId, projectId],
  )
  await pool.query(
    `INSERT INTO api_keys (tenant_id, id, name, key_hash, key_prefix, scopes)
      VALUES ($1, $2, 'First', $3, $4, '{*}')`,
    [tenantId, keyId, hashApiKey(key), apiKeyPrefix(key)],
  )
  return { tenantId, projectId, keyId, secret, key, call: callAs(key) }
}
