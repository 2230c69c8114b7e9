/** The two lists over a database and a port of their own, as an admin and by a key. For tests. */
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import { openAccess } from '@posthorn/boot/http'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { apiKeyPrefix, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import type { Role } from '@posthorn/domain/roles'
import { hashSecretToken, newSecretToken } from '@posthorn/domain/secret-token'
import { createErrorAnswerer } from '@posthorn/http/errors'
import { createHttpServer } from '@posthorn/http/http-server'
import { ensurePartitions } from '@posthorn/store/partitions'
import { isUnavailable, openPool, type Pool } from '@posthorn/store/pool'
import { createSeal } from '@posthorn/store/seal'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createCompliance } from '../app.ts'

/** A parsed answer. Tests assert its shape. */
// oxlint-disable-next-line typescript/no-explicit-any
type LogAnswer = { status: number; body: any }
export type ReadLog = (path: string, headers?: Record<string, string>) => Promise<LogAnswer>

export interface AuditedTenant {
  tenantId: string
  keyId: string
  /** As a key with the scope `audit:read`. */
  byKey: ReadLog
}

export interface TestLogs {
  pool: Pool
  addTenant(parentId?: string): Promise<AuditedTenant>
  /** As a member who is signed in. */
  addMember(tenantId: string, role: Role): Promise<{ id: string; email: string; read: ReadLog }>
  callAs(key: string): ReadLog
  addKey(tenantId: string, scopes: readonly string[]): Promise<{ id: string; key: string }>
  close(): Promise<void>
}

const ACCESS = { BRAND: 'Service', DEFAULT_PLAN: 'self_hosted', TRUSTED_PROXIES: 0 } as const
const UNLIMITED = {
  takeToken: async () => ({ allowed: true, remaining: 1, retryAfterMs: 0, resetMs: 0 }),
}

export async function startTestLogs(): Promise<TestLogs> {
  const store = await createTestDatabase()
  const pool = openPool({ url: store.url, max: 4, name: 'test', onError: () => {} })
  await ensurePartitions(pool, new Date())
  const bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const { router } = createCompliance(
    { brand: 'Service', defaultPlan: 'self_hosted' },
    {
      pool,
      sessionPool: pool,
      bus,
      seal: createSeal([Buffer.alloc(32, 7).toString('base64')]),
      clock: { now: Date.now },
      log: { info() {}, warn: fail },
      ...openAccess({ pool, state: UNLIMITED, settings: ACCESS }, 'https://hooks.example.com'),
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
  const base = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}/api/v1`
  const readWith =
    (credential: Record<string, string>): ReadLog =>
    async (path, headers = {}) => {
      const response = await fetch(base + path, {
        headers: { ...credential, ...headers, Connection: 'close' },
      })
      return { status: response.status, body: await response.json() }
    }
  const callAs = (key: string): ReadLog => readWith({ 'X-API-Key': key })
  return {
    pool,
    callAs,
    addKey: async (tenantId, scopes) => await addKey(pool, tenantId, scopes),
    async addTenant(parentId) {
      const tenantId = await addTenant(pool, parentId ?? null)
      const { id: keyId, key } = await addKey(pool, tenantId, ['audit:read'])
      return { tenantId, keyId, byKey: callAs(key) }
    },
    async addMember(tenantId, role) {
      const { token, ...member } = await addMember(pool, tenantId, role)
      return { ...member, read: readWith({ Cookie: `service_session=${token}` }) }
    },
    async close() {
      await server.close(1_000)
      await bus.close(1_000)
      await pool.end()
      await store.drop()
    },
  }
}

function fail(error: unknown): never {
  throw error
}

async function addTenant(pool: Pool, parentId: string | null): Promise<string> {
  const tenantId = newId()
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret, parent_id)
     VALUES ($1, 'T', 'self_hosted', '', $2)`,
    [tenantId, parentId],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'Default', 'production', true)`,
    [tenantId, newId()],
  )
  return tenantId
}

async function addKey(pool: Pool, tenantId: string, scopes: readonly string[]) {
  const [id, key] = [newId(), newApiKey('production')]
  await pool.query(
    `INSERT INTO api_keys (tenant_id, id, name, key_hash, key_prefix, scopes)
     VALUES ($1, $2, 'Test', $3, $4, $5)`,
    [tenantId, id, hashApiKey(key), apiKeyPrefix(key), scopes],
  )
  return { id, key }
}

async function addMember(pool: Pool, tenantId: string, role: Role) {
  const [id, token] = [newId(), newSecretToken()]
  const email = `${id}@example.com`
  await pool.query('INSERT INTO users (id, email, email_verified_at) VALUES ($1, $2, now())', [
    id,
    email,
  ])
  await pool.query(
    `INSERT INTO memberships (tenant_id, user_id, role, status) VALUES ($1, $2, $3, 'active')`,
    [tenantId, id, role],
  )
  await pool.query(
    `INSERT INTO user_sessions (token_hash, id, tenant_id, user_id, expires_at)
     VALUES ($1, $2, $3, $4, now() + interval '1 day')`,
    [hashSecretToken(token), newId(), tenantId, id],
  )
  return { id, email, token }
}
