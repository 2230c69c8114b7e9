/**
 * The service over a database and a port of its own, with inbound endpoints to send to. For tests.
 */
import { createHmac } from 'node:crypto'
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import type { SourceConfig } from '@posthorn/contracts/inbound'
import { PUBLIC_INBOUND_ROUTES } from '@posthorn/contracts/inbound-routes'
import { newId } from '@posthorn/domain/ids'
import { createErrorAnswerer } from '@posthorn/http/errors'
import { createHttpServer } from '@posthorn/http/http-server'
import { createVerifier, type Verifier } from '@posthorn/inbound/verifier'
import { createLazySandbox } from '@posthorn/sandbox/lazy-sandbox.fixture'
import { ensurePartitions } from '@posthorn/store/partitions'
import { isUnavailable, openPool, type Pool } from '@posthorn/store/pool'
import { createSeal, type Seal, sealedAt } from '@posthorn/store/seal'
import { createUsageMeter, type UsageMeter } from '@posthorn/store/usage/usage-meter'
import { type PostgresLink, ofThisRealm, openPostgresLink } from '@posthorn/testing/postgres-link'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createInboundReceiver } from './app.ts'

export const PUBLIC_URL = 'https://hooks.example.com'
export const MAX_BYTES = 64 * 1024

/** A value that came from outside: tests read it as what they expect it to be. */
type Loose = ReturnType<typeof JSON.parse>

export interface TestResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
  body: Loose
}

export interface TestRequest {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** Appended to the endpoint's path. */
  query?: string
}

export interface TestSource {
  tenantId: string
  projectId: string
  id: string
  pathSuffix: string
  send(sent: TestRequest): Promise<TestResponse>
  row(): Promise<Loose>
  events(): Promise<Loose[]>
}

export interface SourceFields {
  source: string
  config?: SourceConfig
  destinationIds?: string[]
  eventTypeMapping?: string
  transformation?: string
  status?: 'active' | 'inactive'
}

export interface TestInbound {
  pool: Pool
  seal: Seal
  usage: UsageMeter
  port: number
  announced: { topic: string; message: Loose }[]
  failures: unknown[]
  counted: Record<string, number>
  /** The connection to Postgres, to be cut and repaired. */
  line: Pick<PostgresLink, 'cut' | 'repair'>
  /** Answers in place of what platforms publish and of addresses; replaced by tests. */
  publish: { fetchText(url: URL): Promise<string> }
  verifier: { current: Verifier }
  addSource(fields: SourceFields): Promise<TestSource>
  send(path: string, sent: TestRequest): Promise<TestResponse>
  announceChange(tenantId: string): void
  stop(): Promise<void>
  close(): Promise<void>
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {}, flush() {} }

export async function startTestInbound(maxBodyBytes = MAX_BYTES): Promise<TestInbound> {
  const store = await createTestDatabase()
  const line = await openPostgresLink(new URL(store.url))
  const pool = openPool({ url: line.url, max: 4, name: 'test', onError: () => {} })
  await ensurePartitions(pool, new Date())
  const failures: unknown[] = []
  const fail = (failure: unknown): void => void failures.push(failure)
  const bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const announced: TestInbound['announced'] = []
  const counted: Record<string, number> = {}
  const seal = createSeal([Buffer.alloc(32, 7).toString('base64')])
  const sandbox = createLazySandbox(
    { brand: 'Service', maxPayloadBytes: 256 * 1024, workers: 1 },
    { onReplaced: () => {} },
  )
  const publish: TestInbound['publish'] = {
    fetchText: (url) => Promise.reject(new Error(`nobody publishes ${url.href}`)),
  }
  const fetchText = (url: URL): Promise<string> => publish.fetchText(url)
  const verifier = { current: createVerifier({ fetchText, now: Date.now }) }
  const usage = createUsageMeter({ pool, now: Date.now, log: SILENT })
  const { router, service } = createInboundReceiver(
    { publicUrl: PUBLIC_URL, maxBodyBytes, defaultPlan: 'self_hosted' },
    {
      pool,
      bus: {
        ...bus,
        announce(topic, messages) {
          for (const message of messages) announced.push({ topic, message })
          return bus.announce(topic, messages)
        },
      },
      seal,
      sandbox,
      verifier: {
        handshake: (...given) => verifier.current.handshake(...given),
        verify: (...given) => verifier.current.verify(...given),
        signedHandshake: (...given) => verifier.current.signedHandshake(...given),
        fetchText,
      },
      log: SILENT,
      metrics: {
        count(_name, labels) {
          const outcome = (labels as { outcome?: string }).outcome
          if (outcome !== undefined) counted[outcome] = (counted[outcome] ?? 0) + 1
        },
      },
      usage,
      now: Date.now,
    },
  )
  await service.start()
  const server = createHttpServer({
    routers: [router],
    routes: PUBLIC_INBOUND_ROUTES,
    operations: {
      isReady: () => true,
      health: async () => ({ ok: true, checks: [] }),
      metrics: async () => ({ contentType: 'text/plain', body: '' }),
    },
    document: () => ({}),
    answerError: createErrorAnswerer({
      isUnavailable: (error) => isUnavailable(ofThisRealm(error)),
      log: { error: (_name, { error }) => fail(error) },
    }),
    observe: () => {},
  })
  const port = await server.listen('127.0.0.1', 0)
  const send = (path: string, sent: TestRequest): Promise<TestResponse> => sendTo(port, path, sent)
  let stopped = false
  async function stop(): Promise<void> {
    if (stopped) return
    stopped = true
    await server.close(1_000)
    await service.stop(1_000)
  }
  return {
    pool,
    seal,
    usage,
    port,
    announced,
    failures,
    counted,
    line,
    publish,
    verifier,
    send,
    stop,
    addSource: async (fields) => await addSource(pool, seal, send, fields),
    announceChange: (tenantId) =>
      void bus.announce('config.changed', [{ v: 1, tenantId, what: 'inbound' }]),
    async close() {
      await stop()
      await bus.close(1_000)
      await sandbox.close()
      await pool.end()
      await line.close()
      await store.drop()
    },
  }
}

/** Sends with Node's own client, which repeats headers, and sends a body with any method. */
function sendTo(port: number, path: string, sent: TestRequest): Promise<TestResponse> {
  const { method = 'POST', headers = {}, body = '' } = sent
  return new Promise((resolve, reject) => {
    const isTold = !('Transfer-Encoding' in headers) && (body.length > 0 || method === 'POST')
    const length = isTold ? { 'Content-Length': Buffer.byteLength(body) } : {}
    const options = { host: '127.0.0.1', port, path, method, headers: { ...length, ...headers } }
    const out = httpRequest({ ...options, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = String(response.headers['content-type']).includes('json') && text !== ''
        const parsed: Loose = isJson ? JSON.parse(text) : undefined
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: parsed,
        })
      })
    })
    out.on('error', reject)
    out.end(body)
  })
}

async function addSource(
  pool: Pool,
  seal: Seal,
  send: TestInbound['send'],
  fields: SourceFields,
): Promise<TestSource> {
  const [tenantId, projectId, id] = [newId(), newId(), newId()]
  const pathSuffix = `path-${id}`
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret)
     VALUES ($1, 'T', 'self_hosted', 'sealed')`,
    [tenantId],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'P', 'production', true)`,
    [tenantId, projectId],
  )
  await pool.query(
    `INSERT INTO inbound_endpoints (tenant_id, id, project_id, path_suffix, name, source,
      credentials, destination_ids, event_type_mapping, transformation, status)
     VALUES ($1, $2, $3, $4, 'R', $5, $6, $7, $8, $9, $10)`,
    [
      tenantId,
      id,
      projectId,
      pathSuffix,
      fields.source,
      seal.seal(
        JSON.stringify(fields.config ?? { secret: SECRET }),
        sealedAt('inbound_endpoints.credentials', tenantId, id),
      ),
      fields.destinationIds ?? [],
      fields.eventTypeMapping ?? null,
      fields.transformation ?? null,
      fields.status ?? 'active',
    ],
  )
  return {
    tenantId,
    projectId,
    id,
    pathSuffix,
    send: ({ query = '', ...sent }) => send(`/inbound/${pathSuffix}${query}`, sent),
    async row() {
      const { rows } = await pool.query('SELECT * FROM inbound_endpoints WHERE id = $1', [id])
      return rows[0]
    },
    async events() {
      const { rows } = await pool.query('SELECT * FROM events WHERE tenant_id = $1 ORDER BY seq', [
        tenantId,
      ])
      return rows
    },
  }
}

export const SECRET = 'a-secret-of-this-test'

export function hex(content: string | Buffer, secret = SECRET): string {
  return createHmac('sha256', secret).update(content).digest('hex')
}

/** A push as GitHub sends it. */
export function fromGitHub(
  body: string | Buffer,
  more: Record<string, string> = {},
  secret = SECRET,
): TestRequest {
  const headers = {
    'Content-Type': 'application/json',
    'X-GitHub-Event': 'push',
    'X-GitHub-Delivery': newId(),
    'X-Hub-Signature-256': `sha256=${hex(body, secret)}`,
    ...more,
  }
  return { headers, body }
}

export function fromStripe(body: string, at = Math.floor(Date.now() / 1_000)): TestRequest {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Stripe-Signature': `t=${at},v1=${hex(`${at}.${body}`)}`,
  }
  return { headers, body }
}
