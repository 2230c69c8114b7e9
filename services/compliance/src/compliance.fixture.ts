/** The service over a database and a port of its own, with workspaces to call it as. For tests. */
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import { openAccess } from '@posthorn/boot/http'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import type { ConfigChanged } from '@posthorn/contracts/topics'
import { apiKeyPrefix, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import type { Role } from '@posthorn/domain/roles'
import { hashSecretToken, newSecretToken } from '@posthorn/domain/secret-token'
import { createErrorAnswerer } from '@posthorn/http/errors'
import { createHttpServer } from '@posthorn/http/http-server'
import { isUnavailable, openPool, type Pool } from '@posthorn/store/pool'
import { createSeal, type Seal } from '@posthorn/store/seal'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createCompliance } from './app.ts'
import { createRunSubjectJobs } from './subject-jobs/run-subject-jobs.ts'

/** A parsed answer. Tests assert its shape. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface Answered {
  status: number
  body: Json
}

export type Call = (method: string, path: string, body?: unknown) => Promise<Answered>

export interface Workspace {
  tenantId: string
  projectId: string
  name: string
  key: string
  callAs(role: Role): Promise<Call>
  /** @returns the cookie of a new member who is signed in */
  sessionOf(role: Role): Promise<string>
  byKey: Call
}

export interface TestCompliance {
  url: string
  databaseUrl: string
  pool: Pool
  seal: Seal
  changes: ConfigChanged[]
  addWorkspace(parentId?: string): Promise<Workspace>
  /** Works off all jobs that wait, as one runner. */
  runJobs(): Promise<void>
  close(): Promise<void>
}

const ACCESS = { BRAND: 'Service', DEFAULT_PLAN: 'self_hosted', TRUSTED_PROXIES: 0 } as const
const PUBLIC_URL = 'https://hooks.example.com'

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

export async function startTestCompliance(): Promise<TestCompliance> {
  const store = await createTestDatabase()
  const pool = openPool({ url: store.url, max: 6, name: 'test', onError: () => {} })
  const seal = createSeal([MASTER_KEY])
  const bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const changes: ConfigChanged[] = []
  const state = {
    takeToken: async () => ({ allowed: true, remaining: 1, retryAfterMs: 0, resetMs: 0 }),
  }
  const log = { info: () => {}, warn: (_name: string, fields?: object) => fail(fields) }
  const { router } = createCompliance(
    { brand: ACCESS.BRAND, defaultPlan: ACCESS.DEFAULT_PLAN },
    {
      pool,
      sessionPool: pool,
      seal,
      log,
      clock: { now: Date.now },
      bus: {
        subscribe: bus.subscribe,
        announce: (topic, messages) => {
          if (topic === 'config.changed') changes.push(...(messages as readonly ConfigChanged[]))
          return bus.announce(topic, messages)
        },
      },
      ...openAccess({ pool, state, settings: ACCESS }, PUBLIC_URL),
    },
  )
  const server = createHttpServer({
    routers: [router],
    routes: Object.values(routeCatalog(ACCESS.BRAND)) as Route[],
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
  const runJobs = createRunSubjectJobs({ pool, seal, log, rest: async () => {}, pauseMs: 0 })
  return {
    url,
    databaseUrl: store.url,
    pool,
    seal,
    changes,
    addWorkspace: (parentId) => addWorkspace(pool, url, parentId ?? null),
    async runJobs() {
      while (await runJobs());
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

async function addWorkspace(pool: Pool, url: string, parentId: string | null): Promise<Workspace> {
  const [tenantId, projectId] = [newId(), newId()]
  const name = `Workspace ${tenantId}`
  const key = newApiKey('production')
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret, parent_id)
     VALUES ($1, $2, 'self_hosted', 's2:00000000:c2VjcmV0', $3)`,
    [tenantId, name, parentId],
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
  async function sessionOf(role: Role): Promise<string> {
    const [userId, token] = [newId(), newSecretToken()]
    await pool.query('INSERT INTO users (id, email, email_verified_at) VALUES ($1, $2, now())', [
      userId,
      `${userId}@members.example`,
    ])
    await pool.query('INSERT INTO memberships (tenant_id, user_id, role) VALUES ($1, $2, $3)', [
      tenantId,
      userId,
      role,
    ])
    await pool.query(
      `INSERT INTO user_sessions (token_hash, id, tenant_id, user_id, expires_at)
       VALUES ($1, $2, $3, $4, now() + interval '1 day')`,
      [hashSecretToken(token), newId(), tenantId, userId],
    )
    return `service_session=${token}`
  }
  return {
    tenantId,
    projectId,
    name,
    key,
    byKey: createCall(url, { 'X-API-Key': key }),
    sessionOf,
    callAs: async (role) => createCall(url, { Cookie: await sessionOf(role) }),
  }
}

function createCall(url: string, credential: Record<string, string>): Call {
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...credential,
        Connection: 'close',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}
