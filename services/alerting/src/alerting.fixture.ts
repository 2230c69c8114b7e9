/**
 * Alerting over a real database, its routes over HTTP, and a way out that a test watches. No loop
 * runs: tests evaluate and send when they want to.
 */
import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { openAccess } from '@posthorn/boot/http'
import { openPortalSessions } from '@posthorn/boot/portal'
import type { Settings } from '@posthorn/runtime/config'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { apiKeyPrefix, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import type { PlanName } from '@posthorn/domain/plans'
import { newId } from '@posthorn/domain/ids'
import { createDestinationChecker } from '@posthorn/egress/check-destination'
import { createHttpServer } from '@posthorn/http/http-server'
import { createInProcessState } from '@posthorn/state/in-process-state'
import { isUnavailable, openPool, type Pool } from '@posthorn/store/pool'
import { createErrorAnswerer } from '@posthorn/http/errors'
import { createSeal, type Seal } from '@posthorn/store/seal'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createAlerting } from './app.ts'
import type { Notification, Target, TargetResult } from './targets/target.ts'

/** A parsed answer. Tests assert its shape. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface AlertingResponse {
  status: number
  body: Json
  text: string
}

export type CallAlerting = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<AlertingResponse>

export interface AlertingTenant {
  tenantId: string
  projectId: string
  call: CallAlerting
}

export interface SentNotification {
  tenantId: string
  target: Target
  notification: Notification
}

export interface TestAlerting {
  databaseUrl: string
  pool: Pool
  seal: Seal
  /** What was sent so far, in its order. */
  sent: SentNotification[]
  /** What each target answers; a test may replace it. */
  answer: (sent: SentNotification) => Promise<TargetResult>
  callAs(key: string): CallAlerting
  addTenant(plan?: PlanName): Promise<AlertingTenant>
  close(): Promise<void>
}

export const SENT: TargetResult = {
  outcome: 'sent',
  statusCode: 200,
  error: null,
  retryAfterMs: null,
}

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
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

export let alerting: TestAlerting
export let tenant: AlertingTenant

/** Alerting for the tests of a file, with a tenant for each. */
export function useAlerting(): void {
  beforeAll(async () => void (alerting = await startTestAlerting()))
  afterAll(async () => await alerting.close())
  beforeEach(async () => {
    tenant = await alerting.addTenant()
    alerting.sent.length = 0
    alerting.answer = async () => SENT
  })
}

export async function startTestAlerting(): Promise<TestAlerting> {
  const store = await createTestDatabase()
  const pool = openPool({ url: store.url, max: 8, name: 'test', onError: () => {} })
  const seal = createSeal([MASTER_KEY])
  const bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const { router } = createAlerting(
    { brand: 'Service', defaultPlan: 'self_hosted' },
    {
      ...openAccess({ pool, state: UNLIMITED, settings: ACCESS }, PUBLIC_URL),
      portal: openPortalSessions({ pool, seal, settings: ACCESS }, PUBLIC_URL),
      pool,
      seal,
      bus,
      state: createInProcessState(),
      clock: { now: Date.now },
      checkDestination: createDestinationChecker({ allowCidrs: [], requireHttps: false }),
      send: (target, notification, { tenantId }) => test.send({ tenantId, target, notification }),
      log: { info: () => {}, warn: () => {} },
      metrics: { count: () => {}, set: () => {}, onScrape: () => {} },
    },
  )
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
  const port = await server.listen('127.0.0.1', 0)
  const callAs = (key: string): CallAlerting => createCall(`http://127.0.0.1:${port}/api/v1`, key)
  const test = {
    databaseUrl: store.url,
    pool,
    seal,
    sent: [] as SentNotification[],
    answer: async (_sent: SentNotification): Promise<TargetResult> => SENT,
    send(sent: SentNotification): Promise<TargetResult> {
      test.sent.push(sent)
      return test.answer(sent)
    },
    callAs,
    addTenant: (plan: PlanName = 'self_hosted') => addTenant(pool, callAs, plan),
    async close() {
      await server.close(1_000)
      await bus.close(1_000)
      await pool.end()
      await store.drop()
    },
  }
  return test
}

function fail(error: unknown): never {
  throw error
}

function createCall(base: string, key: string): CallAlerting {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        'X-API-Key': key,
        Connection: 'close',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), text }
  }
}

async function addTenant(
  pool: Pool,
  callAs: TestAlerting['callAs'],
  plan: PlanName,
): Promise<AlertingTenant> {
  const [tenantId, projectId] = [newId(), newId()]
  const key = newApiKey('production')
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret)
      VALUES ($1, 'T', 'self_hosted', 'none')`,
    [tenantId],
  )
  await pool.query(
    `INSERT INTO subscriptions (tenant_id, plan, cycle, status)
      VALUES ($1, $2, 'monthly', 'active')`,
    [tenantId, plan],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
      VALUES ($1, $2, 'Default', 'production', true)`,
    [tenantId, projectId],
  )
  await pool.query(
    `INSERT INTO api_keys (tenant_id, id, name, key_hash, key_prefix, scopes)
      VALUES ($1, $2, 'First', $3, $4, '{*}')`,
    [tenantId, newId(), hashApiKey(key), apiKeyPrefix(key)],
  )
  return { tenantId, projectId, call: callAs(key) }
}

/** What happened to a tenant in the present minute, as the folding of the outbox leaves it. */
export async function setCounts(
  { tenantId }: Pick<AlertingTenant, 'tenantId'>,
  { succeeded, failed }: { succeeded: number; failed: number },
): Promise<void> {
  for (const [table, unit] of [
    ['rollup_minutes', 'minute'],
    ['rollup_hours', 'hour'],
    ['rollup_days', 'day'],
  ]) {
    await alerting.pool.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId])
    await alerting.pool.query(
      `INSERT INTO ${table} (tenant_id, scope_id, bucket, accepted, succeeded, acknowledged, dead,
        timeout, http_4xx, http_5xx, dns, tls, refused, other)
      SELECT $1::uuid, $1::uuid, date_trunc('${unit}', now(), 'UTC'), 0, $2::int, 0, 0, 0, 0,
        $3::int, 0, 0, 0, 0
      WHERE $2::int + $3::int > 0`,
      [tenantId, succeeded, failed],
    )
  }
}
