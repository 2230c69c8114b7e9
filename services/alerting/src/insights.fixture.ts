/** The routes of insights over a database and a port of their own, with tenants. For tests. */
import { openAccess } from '@posthorn/boot/http'
import { openPortalSessions } from '@posthorn/boot/portal'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { apiKeyPrefix, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import { createApiRouter } from '@posthorn/http/api-router'
import { createErrorAnswerer } from '@posthorn/http/errors'
import type { Handlers } from '@posthorn/http/handlers'
import type { PortalSessions } from '@posthorn/http/portal-sessions'
import { createHttpServer } from '@posthorn/http/http-server'
import type { Settings } from '@posthorn/runtime/config'
import { createInProcessState } from '@posthorn/state/in-process-state'
import type { StateStore } from '@posthorn/state/state-store'
import { isUnavailable, openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createFolding, type Folding } from './fold/fold-rollups.ts'
import { createInsights, type Insights } from './insights.ts'
import { STREAM_DEFAULTS, type StatsStreamConfig } from './stats/stats-stream.ts'

export interface InsightsTenant {
  tenantId: string
  projectId: string
  key: string
  keyId: string
  get(path: string, headers?: Record<string, string>): Promise<InsightsAnswer>
}

interface InsightsAnswer {
  status: number
  /** A parsed answer. Tests assert its shape. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface TestInsights {
  pool: Pool
  portal: PortalSessions
  url: string
  state: StateStore
  insights: Insights
  addTenant(): Promise<InsightsTenant>
  addEndpoint(tenant: InsightsTenant, config?: object): Promise<string>
  close(): Promise<void>
}

const PUBLIC_URL = 'https://hooks.example.com'
const ACCESS = {
  BRAND: 'Service',
  DEFAULT_PLAN: 'self_hosted',
  TRUSTED_PROXIES: 0,
  PORTAL_URL: undefined,
  SUBACCOUNT_JWT_SECRET: 'the-secret-of-the-sessions-of-tests',
  SUBACCOUNT_CROSS_SITE_EMBED: false,
  SUBACCOUNT_ALLOWED_FRAME_ANCESTORS: [],
} satisfies Partial<Settings>
const UNLIMITED = {
  takeToken: async () => ({ allowed: true, remaining: 1, retryAfterMs: 0, resetMs: 0 }),
}

export async function startTestInsights(
  stream: Partial<StatsStreamConfig> = {},
  foldingOf?: (pool: Pool) => Folding,
): Promise<TestInsights> {
  const store = await createTestDatabase()
  const pool = openPool({ url: store.url, max: 4, name: 'test', onError: () => {} })
  const state = createInProcessState()
  const portal = openPortalSessions(
    { pool, seal: { deriveKeys: () => [] }, settings: ACCESS },
    PUBLIC_URL,
  )
  const access = {
    ...openAccess({ pool, state: UNLIMITED, settings: ACCESS }, PUBLIC_URL),
    portal,
  }
  const parts = {
    ...access,
    pool,
    state,
    clock: { now: Date.now },
    log: { warn: fail },
    metrics: { count: () => {}, set: () => {} },
  }
  const rollups = foldingOf?.(pool) ?? createFolding(parts)
  const insights = createInsights({ ...parts, rollups }, { ...STREAM_DEFAULTS, ...stream })
  // The other routes of the service are not called here.
  const handlers = insights.handlers as Handlers<'alerting'>
  const routing = { service: 'alerting', brand: 'Service' } as const
  const router = Object.assign(createApiRouter(routing, access, handlers), {
    upgrades: insights.upgrades,
  })
  const server = createHttpServer({
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
  const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`
  return {
    pool,
    portal,
    url,
    state,
    insights,
    addTenant: () => addTenant(pool, url),
    async addEndpoint(tenant, config = {}) {
      const id = newId()
      await pool.query(
        `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
         VALUES ($1, $2, $3, 'active', 1, $4)`,
        [tenant.tenantId, id, tenant.projectId, { url: 'https://example.com/', ...config }],
      )
      return id
    },
    async close() {
      await server.close(1_000)
      await pool.end()
      await store.drop()
    },
  }
}

function fail(_name: unknown, fields?: unknown): never {
  throw new Error('reported', { cause: fields ?? _name })
}

async function addTenant(pool: Pool, url: string): Promise<InsightsTenant> {
  const [tenantId, projectId, keyId] = [newId(), newId(), newId()]
  const key = newApiKey('production')
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'T', 'self_hosted', '')`,
    [tenantId],
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
  return {
    tenantId,
    projectId,
    key,
    keyId,
    async get(path, headers = {}) {
      const response = await fetch(`${url}/api/v1${path}`, {
        headers: { 'X-API-Key': key, Connection: 'close', ...headers },
      })
      return { status: response.status, body: await response.json() }
    },
  }
}

/** Folded attempts of the present minute. */
export interface AddedRollup {
  scopeId: string
  /** Epoch ms. */
  at: number
  succeeded?: number
  timeout?: number
  http4xx?: number
  dead?: number
  accepted?: number
  /** The cell of latencies, and how many are in it. */
  cell?: [cell: number, count: number]
}

/** Adds to the rows of each grain, as a fold does. */
export async function addRollup(
  { pool }: TestInsights,
  { tenantId }: InsightsTenant,
  added: AddedRollup,
): Promise<void> {
  const { scopeId, at, succeeded = 0, timeout = 0, http4xx = 0, dead = 0, accepted = 0 } = added
  const [cell, count] = added.cell ?? [null, 0]
  for (const [table, unit] of [
    ['rollup_minutes', 'minute'],
    ['rollup_hours', 'hour'],
    ['rollup_days', 'day'],
  ]) {
    await pool.query(
      `INSERT INTO ${table} AS r (tenant_id, scope_id, bucket, accepted, succeeded, acknowledged,
         dead, timeout, http_4xx, http_5xx, dns, tls, refused, other, last_success_at, latency)
       VALUES ($1, $2, date_trunc('${unit}', $3::timestamptz, 'UTC'), $4, $5::bigint, 0, $6, $7, $8,
         0, 0, 0, 0, 0, CASE WHEN $5::bigint > 0 THEN $3::timestamptz END, $9::int[])
       ON CONFLICT (tenant_id, scope_id, bucket) DO UPDATE SET
         accepted = r.accepted + excluded.accepted, succeeded = r.succeeded + excluded.succeeded,
         dead = r.dead + excluded.dead, timeout = r.timeout + excluded.timeout,
         http_4xx = r.http_4xx + excluded.http_4xx, latency = add_cells(r.latency, excluded.latency)`,
      [
        tenantId,
        scopeId,
        new Date(at),
        accepted,
        succeeded,
        dead,
        timeout,
        http4xx,
        cell === null ? null : `[${cell}:${cell}]={${count}}`,
      ],
    )
  }
}
