/**
 * Measures what alerting costs where much is asked of it. `node tests/load/alerting/main.ts` makes
 * a database of its own and tells: how much of a core 2,000 rules over 1,000 endpoints take, how
 * long a second's round to 1,000 sockets of 50 workspaces lasts, how long a week of hours of a
 * workspace with 1,000 endpoints takes to read, and what folding costs with 10,000 tenants.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { newId } from '@posthorn/domain/ids'
import { createInProcessState } from '@posthorn/state/in-process-state'
import { readWaiting } from '@posthorn/store/alerting/queue-depth'
import { openPool, type Pool } from '@posthorn/store/pool'
import { readWindows } from '@posthorn/store/rollups/read-window'
import { makeTenant, type Tenant } from '@posthorn/store/store.fixture'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createEvaluateRules } from '../../../services/alerting/src/rules/evaluate-rules.ts'
import { readStats } from '../../../services/alerting/src/stats/read-stats.ts'
import { measureFolding } from './folding.ts'
import {
  createStatsStream,
  STREAM_DEFAULTS,
} from '../../../services/alerting/src/stats/stats-stream.ts'

const HOUR_MS = 3_600_000
const EVALUATED_EVERY_MS = 10_000
const ROUNDS = 10
/** The tick of Linux's process times. */
const TICK_MS = 10

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function percentile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  return (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1)
}

/** The processor time of this process, and of the one that serves the pool's only connection. */
async function cpuMs(pool: Pool): Promise<{ node: number; postgres: number }> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const stat = await readFile(`/proc/${rows[0]?.pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  const { user: userMicros, system: systemMicros } = process.cpuUsage()
  return { node: (userMicros + systemMicros) / 1_000, postgres: (user + system) * TICK_MS }
}

async function addEndpoints(pool: Pool, tenant: Tenant, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  await pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     SELECT $1, id, $2, 'active', 1, '{"url": "https://example.com/"}' FROM unnest($3::uuid[]) id`,
    [tenant.tenantId, tenant.projectId, ids],
  )
  return ids
}

/** Rollups of the last `count` minutes, hours or days, each with 30 cells of latencies. */
async function addRollups(
  pool: Pool,
  { tenantId }: Tenant,
  scopes: readonly string[],
  [unit, count]: readonly ['minute' | 'hour' | 'day', number],
): Promise<void> {
  await pool.query(
    `INSERT INTO rollup_${unit}s (tenant_id, scope_id, bucket, accepted, succeeded, acknowledged,
       dead, timeout, http_4xx, http_5xx, dns, tls, refused, other, latency)
     SELECT $1, s, date_trunc('${unit}', now(), 'UTC') - n * interval '1 ${unit}', 100, 97, 0, 0,
       1, 1, 1, 0, 0, 0, 0, ('[40:69]=' || array_fill(3, ARRAY[30])::text)::int[]
     FROM unnest($2::uuid[]) s, generate_series(0, $3::int - 1) n`,
    [tenantId, scopes, count],
  )
}

const METRICS = ['failure_rate', 'latency', 'error_count', 'delivery_count', 'queue_depth']
const WINDOWS_MS = [5, 10, 60, 1_440].map((minutes) => minutes * 60_000)

async function addRules(pool: Pool, { tenantId }: Tenant, endpoints: string[]): Promise<void> {
  for (let n = 0; n < 200; n += 1) {
    await pool.query(
      `INSERT INTO alert_rules (tenant_id, id, endpoint_id, name, enabled, metric, operator,
         threshold, window_text, window_ms, cooldown_text, cooldown_ms, action, next_eval_at)
       VALUES ($1, $2, $3, 'R', true, $4, 'gt', 1e9, 'w', $5, '5m', 300000, 'none', now())`,
      [
        tenantId,
        newId(),
        endpoints[n % endpoints.length],
        METRICS[n % METRICS.length],
        WINDOWS_MS[Math.floor(n / METRICS.length) % WINDOWS_MS.length],
      ],
    )
  }
}

async function measureRules(pool: Pool): Promise<void> {
  for (let n = 0; n < 10; n += 1) {
    const tenant = await makeTenant(pool)
    const endpoints = await addEndpoints(pool, tenant, 100)
    const scopes = [...endpoints, tenant.tenantId]
    for (const grain of [
      ['minute', 90],
      ['hour', 48],
      ['day', 3],
    ] as const) {
      await addRollups(pool, tenant, scopes, grain)
    }
    await addRules(pool, tenant, endpoints)
  }
  await pool.query('ANALYZE')
  const config = { defaultPlan: 'self_hosted' } as const
  const rollups = { isBehind: () => false, catchUp: async () => {} }
  const rules = createEvaluateRules(config, { pool, rollups, readWindows, readWaiting })
  const round = async (): Promise<number> => {
    await pool.query('UPDATE alert_rules SET next_eval_at = now()')
    let evaluated = 0
    for (;;) {
      const done = await rules.evaluateDue()
      evaluated += done.evaluated
      if (done.taken === 0) return evaluated
    }
  }
  await round()
  const before = await cpuMs(pool)
  let evaluated = 0
  for (let n = 0; n < ROUNDS; n += 1) evaluated += await round()
  const after = await cpuMs(pool)
  const share = (ms: number): string => `${((100 * ms) / ROUNDS / EVALUATED_EVERY_MS).toFixed(1)} %`
  const [node, postgres] = [after.node - before.node, after.postgres - before.postgres]
  say(`${evaluated / ROUNDS} rules over 1,000 endpoints every 10 s:`)
  say(`  of a core: ${share(node + postgres)}; Node ${share(node)}, Postgres ${share(postgres)}`)
}

async function measureWeek(pool: Pool): Promise<void> {
  const tenant = await makeTenant(pool)
  const endpoints = await addEndpoints(pool, tenant, 1_000)
  await addRollups(pool, tenant, [...endpoints, tenant.tenantId], ['hour', 170])
  await pool.query('ANALYZE')
  const now = Date.now()
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS
  const scope = { tenantId: tenant.tenantId, projectId: null, endpointId: null }
  const queries = Array.from({ length: 168 }, (_, n) => ({
    ...scope,
    from: new Date(hour - (168 - n) * HOUR_MS),
    to: new Date(hour - (167 - n) * HOUR_MS),
  }))
  const times: number[] = []
  for (let n = 0; n < 30; n += 1) {
    const startedAt = performance.now()
    await readWindows(pool, queries, now)
    times.push(performance.now() - startedAt)
  }
  say('A week of hours of a workspace with 1,000 endpoints:')
  say(`  median ${percentile(times, 0.5)} ms, p95 ${percentile(times, 0.95)} ms`)
}

async function measureSockets(pool: Pool): Promise<void> {
  const tenants: string[] = []
  for (let n = 0; n < 50; n += 1) tenants.push((await makeTenant(pool)).tenantId)
  const stream = createStatsStream(STREAM_DEFAULTS, {
    enter: async ({ url = '', headers }) => ({
      caller: { tenantId: url.slice(1) },
      credentials: headers,
    }),
    mayStay: async () => true,
    read: (ids) => readStats(pool, ids, Date.now()),
    nowMs: () => performance.now(),
    state: createInProcessState(),
    metrics: { count: () => {}, set: () => {} },
    log: { warn: () => {} },
  })
  const closing = new AbortController()
  const server = createServer()
  server.on('upgrade', (request, socket: Socket, head) => {
    stream.upgrade(request, socket, head, closing.signal).catch(() => socket.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const clients = new Worker(new URL('./clients.ts', import.meta.url), {
    workerData: { port, tenants, each: 20 },
  })
  await new Promise((open, failed) => clients.once('message', open).once('error', failed))
  const times: number[] = []
  const before = process.threadCpuUsage()
  for (let n = 0; n < 30; n += 1) {
    const startedAt = performance.now()
    await stream.sendAll()
    times.push(performance.now() - startedAt)
  }
  const { user, system } = process.threadCpuUsage(before)
  say('A round to 1,000 sockets of 50 workspaces, their stats read from Postgres:')
  say(`  median ${percentile(times, 0.5)} ms, p95 ${percentile(times, 0.95)} ms`)
  say(`  processor time of the thread ${((user + system) / 1_000 / times.length).toFixed(1)} ms`)
  closing.abort()
  await clients.terminate()
  server.close()
}

async function tellFolding(pool: Pool): Promise<void> {
  say('Folding 500 events a second of 10,000 tenants, an event:')
  for (const waitS of [4, 120]) {
    const { rowsWritten, ms, walBytes } = await measureFolding(pool, waitS)
    const wal = Math.round(walBytes)
    say(
      `  every ${waitS} s: ${rowsWritten.toFixed(1)} rows, ${ms.toFixed(2)} ms, ${wal} bytes of WAL`,
    )
  }
}

const database = await createTestDatabase()
const pool = openPool({ url: database.url, max: 1, name: 'measured', onError: () => {} })
await measureRules(pool)
await measureWeek(pool)
await measureSockets(pool)
await tellFolding(pool)
await pool.end()
await database.drop()
