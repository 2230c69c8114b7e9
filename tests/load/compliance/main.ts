/**
 * Measures what compliance does to a database that others work on. `node
 * tests/load/compliance/main.ts [--events 500000] [--attempts-before 0]` fills one day with so many
 * finished events and their attempts, then erases a person from them (left out by
 * `--without-erasure`), then lets retention remove the day. Meanwhile events are accepted and
 * attempts recorded, as fast as `--rate` says; told are their times before and beside each, the
 * longest wait for a lock, and the speed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newId } from '@posthorn/domain/ids'
import { acceptEvents } from '@posthorn/store/pipeline/accept-events'
import { recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { openPool, type Pool } from '@posthorn/store/pool'
import { applyRetention } from '@posthorn/store/retention'
import { createSeal, sealedAt } from '@posthorn/store/seal'
import { attemptOf, directEvent, makeTenant, type Tenant } from '@posthorn/store/store.fixture'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createRunSubjectJobs } from '../../../services/compliance/src/subject-jobs/run-subject-jobs.ts'
import { fillFinished } from '../fill-finished.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '500000' },
    /** So many attempts that failed come before those that each event has anyway; 0 to 10. */
    'attempts-before': { type: 'string', default: '0' },
    'without-erasure': { type: 'boolean', default: false },
    rate: { type: 'string', default: '50' },
    before: { type: 'string', default: '20' },
  },
})
const DAY_MS = 86_400_000
const EVENTS = Number(values.events)
const ATTEMPTS_BEFORE = Number(values['attempts-before'])
if (!Number.isInteger(ATTEMPTS_BEFORE) || ATTEMPTS_BEFORE < 0 || ATTEMPTS_BEFORE > 10)
  throw new Error('--attempts-before is a whole number from 0 to 10')
/** Each delivers one event after the other. */
const WORKERS = Math.ceil(Number(values.rate) / 50)
const EVERY_MS = (1_000 * WORKERS) / Number(values.rate)
/** One event in so many refers to the person. */
const ONE_IN = 1_000
const EMAIL = 'ann@example.com'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

interface Beside {
  times: number[]
  longestLockMs: number
}

/** Delivers events at a steady rate and watches who waits for a lock, until `ended`. */
async function workBeside(pool: Pool, tenant: Tenant, ended: Promise<unknown>): Promise<Beside> {
  const beside: Beside = { times: [], longestLockMs: 0 }
  let goesOn = true
  void ended.finally(() => (goesOn = false)).catch(() => {})
  const watch = async (): Promise<void> => {
    while (goesOn) {
      const { rows } = await pool.query<{ ms: number | null }>(
        `SELECT max(extract(epoch FROM clock_timestamp() - state_change) * 1000)::float8 AS ms
         FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      )
      beside.longestLockMs = Math.max(beside.longestLockMs, rows[0]?.ms ?? 0)
      await pause(5)
    }
  }
  const work = async (_: unknown, worker: number): Promise<void> => {
    await pause((EVERY_MS * worker) / WORKERS)
    while (goesOn) {
      const startedAt = performance.now()
      await deliverOne(pool, tenant)
      const tookMs = performance.now() - startedAt
      beside.times.push(tookMs)
      await pause(Math.max(0, EVERY_MS - tookMs))
    }
  }
  await Promise.all([watch(), ...Array.from({ length: WORKERS }).map(work)])
  return beside
}

async function deliverOne(pool: Pool, tenant: Tenant): Promise<void> {
  const event = directEvent(tenant)
  const [outcome] = await acceptEvents(pool, [event])
  if (outcome?.outcome !== 'accepted') throw new Error('a new event was not accepted')
  const work = {
    ...tenant,
    eventId: event.id,
    deliveryId: event.id,
    endpointId: null,
    targetId: event.targetId ?? '',
    token: outcome.token,
    priority: event.priority,
    seq: outcome.seq,
    attempts: 0,
  }
  await recordAttempts(pool, [attemptOf(work, { state: 'delivered' })])
}

function percentile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  return `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`
}

function tell(what: string, { times, longestLockMs }: Beside): void {
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => percentile(times, share))
  const lock = longestLockMs.toFixed(0)
  say(`${what}: p50 ${p50}, p99 ${p99}, p99.9 ${p999} of ${times.length}; longest lock ${lock} ms`)
}

async function measured(
  pool: Pool,
  tenant: Tenant,
  what: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now()
  const underWay = work()
  const ended = underWay.then(() => performance.now())
  tell(what, await workBeside(pool, tenant, underWay))
  return (await ended) - startedAt
}

async function measureErasure(pool: Pool, tenant: Tenant): Promise<void> {
  const jobId = newId()
  const seal = createSeal([Buffer.alloc(32, 7).toString('base64')])
  await pool.query(
    `INSERT INTO subject_jobs (tenant_id, id, kind, subject_email) VALUES ($1, $2, 'erasure', $3)`,
    [
      tenant.tenantId,
      jobId,
      seal.seal(EMAIL, sealedAt('subject_jobs.subject_email', tenant.tenantId, jobId)),
    ],
  )
  const log = { info: () => {}, warn: (name: string) => say(name) }
  const run = createRunSubjectJobs({ pool, seal, log, rest: pause })
  const erasureMs = await measured(pool, tenant, 'beside an erasure', async () => {
    while (await run());
  })
  const { rows: job } = await pool.query<{ status: string; done: number }>(
    'SELECT status, done::float8 AS done FROM subject_jobs WHERE id = $1',
    [jobId],
  )
  const { status, done } = job[0] ?? { status: 'none', done: 0 }
  say(
    `erasure ${status}: ${done} rows in ${(erasureMs / 1_000).toFixed(1)} s, ` +
      `${Math.round(done / (erasureMs / 1_000))} rows a second`,
  )
}

const database = await createTestDatabase()
const pool = openPool({ url: database.url, max: 8 + WORKERS, name: 'figures', onError: () => {} })
const tenant = await makeTenant(pool)
const filled = { events: EVENTS, attemptsBefore: ATTEMPTS_BEFORE, days: 1 }
await fillFinished(pool, { ...filled, endpointIds: [newId()] }, say)
await pool.query('SET statement_timeout = 0')
const { rowCount: references } = await pool.query(
  `UPDATE events SET payload = '{"to":"${EMAIL}"}'
   WHERE tenant_id = $1 AND seq % ${ONE_IN} = 0 AND ended_at < now() - interval '1 hour'`,
  [tenant.tenantId],
)
const { rows: counted } = await pool.query<{ count: number }>(
  'SELECT count(*)::int AS count FROM attempts',
)
say(`${EVENTS} events, ${counted[0]?.count} attempts, ${references} events refer to the person`)

await measured(pool, tenant, 'alone', () => pause(Number(values.before) * 1_000))

if (!values['without-erasure']) await measureErasure(pool, tenant)

const later = new Date(Date.now() + DAY_MS)
await pool.query(
  `INSERT INTO retention_settings (tenant_id, event_retention_days,
     delivery_attempt_retention_days) VALUES ($1, 1, 1)`,
  [tenant.tenantId],
)
let dropped: string[] = []
const retentionMs = await measured(pool, tenant, 'beside retention', async () => {
  dropped = (await applyRetention(pool, later, { defaultPlan: 'free', maxBatches: 1 })).dropped
})
const days = dropped.filter((name) => /^(events|deliveries|attempts)/.test(name)).join(', ')
say(`retention removed ${days} in ${(retentionMs / 1_000).toFixed(1)} s`)
await pool.end()
await database.drop()
