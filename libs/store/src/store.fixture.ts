/**
 * What the store's own tests start from: a database of their file's own, a tenant, events, and a
 * look at the rows.
 */
import { newId } from '@posthorn/domain/ids'
import { directTargetId } from '@posthorn/domain/target'
import { createTestDatabase } from '@posthorn/testing/databases'
import pg from 'pg'
import { requireLookUps, watchStatements } from './emptied-queues.fixture.ts'
import { acceptEvents, type NewEvent } from './pipeline/accept-events.ts'
import { fanOut } from './pipeline/fan-out.ts'
import { type OwnedBacklog, parkDeliveries } from './pipeline/backlogs.ts'
import { type AttemptRecord, recordAttempts } from './pipeline/record-attempts.ts'
import { openPool, type Pool, SESSION_SETTINGS } from './pool.ts'
import { decodeEntries, idOfBytes, NO_ID_BYTES } from './rollups/entries.ts'

export interface TestStore {
  url: string
  pool: Pool
  close(): Promise<void>
}

/**
 * A test holds a transaction open, and its locks, while others are at work: for as long as a busy
 * machine takes for that.
 */
const PATIENT = {
  ...SESSION_SETTINGS,
  lock_timeout: '25s',
  idle_in_transaction_session_timeout: '0',
}

function patiently(url: string): string {
  const options = Object.entries(PATIENT).map(([name, value]) => `-c ${name}=${value}`)
  return `${url}?options=${encodeURIComponent(options.join(' '))}`
}

/** @param cachedPlans from the first call on: what connections have that are older than a test's */
export async function openTestStore({ cachedPlans = false } = {}): Promise<TestStore> {
  const database = await createTestDatabase()
  if (cachedPlans) await cachePlans(database.url)
  const url = patiently(database.url)
  const pool = openPool({ url, max: 8, name: 'store tests', onError: () => {} })
  const statements = watchStatements(pool)
  return {
    url: database.url,
    pool,
    async close() {
      await pool.end()
      await requireLookUps(database.url, statements)
      await database.drop()
    },
  }
}

async function cachePlans(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const name = new URL(url).pathname.slice(1)
  await client.query(`ALTER DATABASE ${name} SET plan_cache_mode = force_generic_plan`)
  await client.end()
}

export interface Tenant {
  tenantId: string
  projectId: string
}

export async function makeTenant(pool: Pool): Promise<Tenant> {
  const tenant = { tenantId: newId(), projectId: newId() }
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'T', 'free', '')`,
    [tenant.tenantId],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'P', 'production', true)`,
    [tenant.tenantId, tenant.projectId],
  )
  return tenant
}

/** An active endpoint of the tenant's project. @returns its id */
export async function addEndpoint(
  pool: Pool,
  { tenantId, projectId }: Tenant,
  config: object,
): Promise<string> {
  const id = newId()
  await pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, $4)`,
    [tenantId, id, projectId, config],
  )
  return id
}

export const DESTINATION = 'https://example.com/hook'

export function directEvent(tenant: Tenant, more: Partial<NewEvent> = {}): NewEvent {
  const destination = more.destination ?? DESTINATION
  return {
    ...tenant,
    id: newId(),
    source: 'api',
    idempotencyKey: newId(),
    destination,
    targetId: directTargetId(tenant.tenantId, destination),
    eventType: null,
    payload: '{"n": 1.0}',
    headers: null,
    maxAttempts: null,
    priority: 5,
    traceId: 'trace',
    delaySeconds: 0,
    ...more,
  }
}

export function typedEvent(tenant: Tenant, more: Partial<NewEvent> = {}): NewEvent {
  return {
    ...directEvent(tenant),
    destination: null,
    targetId: null,
    eventType: 'order.paid',
    ...more,
  }
}

/** A delivery as the owner of its lease knows it. */
export interface TestDelivery extends Tenant {
  eventId: string
  deliveryId: string
  endpointId: string | null
  targetId: string
  token: number
  priority: number
  seq: number
  attempts: number
  edition?: number | undefined
}

/** Accepted direct events: each is its own delivery, leased to us. */
export async function acceptDirect(
  pool: Pool,
  tenant: Tenant,
  count: number,
  more: Partial<NewEvent> = {},
): Promise<TestDelivery[]> {
  const events = Array.from({ length: count }, () => directEvent(tenant, more))
  const outcomes = await acceptEvents(pool, events)
  return events.map((event, index) => {
    const outcome = outcomes[index]
    if (outcome?.outcome !== 'accepted') throw new Error('a new event was not accepted')
    const { token, seq } = outcome
    const { id, priority, targetId } = event
    return {
      ...tenant,
      eventId: id,
      deliveryId: id,
      endpointId: null,
      targetId: targetId ?? '',
      token,
      priority,
      seq,
      attempts: 0,
    }
  })
}

/** An accepted event by type and its deliveries, one an endpoint, leased to us. */
export async function acceptTyped(
  pool: Pool,
  tenant: Tenant,
  endpoints: readonly string[],
  more: Partial<NewEvent> = {},
): Promise<TestDelivery[]> {
  const event = typedEvent(tenant, more)
  const [outcome] = await acceptEvents(pool, [event])
  if (outcome?.outcome !== 'accepted') throw new Error('a new event was not accepted')
  const deliveries = endpoints.map((endpointId) => ({ deliveryId: newId(), endpointId }))
  const tokens = await fanOut(pool, [{ tenantId: tenant.tenantId, eventId: event.id, deliveries }])
  return deliveries.map(({ deliveryId, endpointId }) => ({
    ...tenant,
    eventId: event.id,
    deliveryId,
    endpointId,
    targetId: endpointId,
    token: tokens.get(deliveryId) ?? 0,
    priority: event.priority,
    seq: outcome.seq,
    attempts: 0,
  }))
}

/** Deliveries to one endpoint, in the order of acceptance, with these priorities. */
export async function toEndpoint(
  pool: Pool,
  tenant: Tenant,
  endpointId: string,
  priorities: readonly number[],
): Promise<TestDelivery[]> {
  const works: TestDelivery[] = []
  for (const priority of priorities) {
    const [work] = await acceptTyped(pool, tenant, [endpointId])
    if (work === undefined) throw new Error('no delivery was made')
    await pool.query('UPDATE deliveries SET priority = $2 WHERE id = $1', [
      work.deliveryId,
      priority,
    ])
    works.push({ ...work, priority })
  }
  return works
}

/** The same, parked at an endpoint of their own, whose backlog is ours. */
export async function parkNew(
  pool: Pool,
  tenant: Tenant,
  priorities: readonly number[],
): Promise<{ works: TestDelivery[]; backlog: OwnedBacklog }> {
  const works = await toEndpoint(pool, tenant, newId(), priorities)
  const [backlog] = await parkDeliveries(pool, works)
  if (backlog === undefined) throw new Error('no backlog was made')
  return { works, backlog }
}

export function attemptOf(
  work: TestDelivery,
  next: AttemptRecord['next'],
  more: Partial<AttemptRecord> = {},
): AttemptRecord {
  return {
    tenantId: work.tenantId,
    id: newId(),
    projectId: work.projectId,
    eventId: work.eventId,
    deliveryId: work.deliveryId,
    endpointId: work.endpointId,
    endpointVersion: work.endpointId === null ? null : 1,
    eventType: null,
    url: DESTINATION,
    attemptNumber: work.attempts + 1,
    edition: work.edition ?? 0,
    statusCode: next.state === 'delivered' ? 200 : 500,
    error: next.state === 'delivered' ? '' : 'http_5xx: status 500',
    durationMs: 12,
    overheadUs: 345,
    responseBody: 'ok',
    responseHeaders: null,
    requestBody: null,
    next,
    ...more,
  }
}

type Row = Record<string, unknown>

export async function eventRow(pool: Pool, id: string): Promise<Row> {
  const { rows } = await pool.query<Row>('SELECT *, seq::float8 AS seq FROM events WHERE id = $1', [
    id,
  ])
  return rows[0] ?? {}
}

export async function deliveryRow(pool: Pool, id: string): Promise<Row> {
  const { rows } = await pool.query<Row>(
    'SELECT *, seq::float8 AS seq FROM deliveries WHERE id = $1',
    [id],
  )
  return rows[0] ?? {}
}

/** A row of `due`, its time as a token and as seconds from now; undefined: there is none. */
export async function dueRow(
  pool: Pool,
  id: string,
): Promise<
  | { kind: number; token: number; leased: boolean; in_seconds: number; target_id: string | null }
  | undefined
> {
  const { rows } = await pool.query(
    `SELECT kind, micros(due_at) AS token, leased, target_id, extract(epoch
     FROM due_at - now())::float8 AS in_seconds
     FROM due WHERE id = $1`,
    [id],
  )
  return rows[0]
}

/** Only the type of these is left. */
const OWN = ['id', 'tenant_id', 'project_id', 'event_id', 'delivery_id', 'target_id', 'seq']
const TIMES = [
  'deliver_at',
  'fanned_out_at',
  'ended_at',
  'delivered_at',
  'due_at',
  'next_attempt_at',
]
const OTHERS = ['idempotency_key', 'in_seconds', 'token']

/** Rows of two events whose pipeline was alike are the same after this. */
export function withoutOwn(rows: object): unknown {
  const isOwn = (name: string): boolean => [...OWN, ...TIMES, ...OTHERS].includes(name)
  const text = JSON.stringify(rows, (name, value: unknown) => (isOwn(name) ? typeof value : value))
  return JSON.parse(text)
}

/** What a tenant's rows of the rollups' outbox count, in their order. */
export async function entriesOf(pool: Pool, { tenantId }: Tenant): Promise<string[]> {
  const { rows } = await pool.query<{ body: Buffer }>(
    'SELECT body FROM rollup_outbox WHERE tenant_id = $1 ORDER BY id',
    [tenantId],
  )
  const nameOf = (bytes: string): string => (bytes === NO_ID_BYTES ? 'none' : idOfBytes(bytes))
  return rows
    .flatMap(({ body }) => [...decodeEntries(body)])
    .map(
      ({ kind, isDead, times, endpoint, project }) =>
        `${kind}${isDead ? ', dead,' : ''} ${times} of ${nameOf(endpoint)} in ${nameOf(project)}`,
    )
}

export async function countRows(
  pool: Pool,
  table: string,
  where = 'true',
  values: unknown[] = [],
): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE ${where}`,
    values,
  )
  return rows[0]?.n ?? -1
}

/** As if the time had passed: what waits for a time is due now. */
export async function passTime(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query(
    `UPDATE due SET due_at = now() - interval '1 second' WHERE id = ANY ($1::uuid[])`,
    [ids],
  )
}

/** One direct event, accepted. */
export async function acceptOne(
  pool: Pool,
  tenant: Tenant,
  more: object = {},
): Promise<TestDelivery> {
  const [work] = await acceptDirect(pool, tenant, 1, more)
  if (work === undefined) throw new Error('nothing was accepted')
  return work
}

/** @returns what was written, as `<delivery> <number>`; throws where one was refused */
export async function recordAll(pool: Pool, attempts: AttemptRecord[]): Promise<string[]> {
  const { written, refused } = await recordAttempts(pool, attempts)
  if (refused.length > 0) throw new Error(`${refused.length} of ${attempts.length} were refused`)
  return written.map(({ deliveryId, attemptNumber }) => `${deliveryId} ${attemptNumber}`)
}

/**
 * So that what the next test sweeps is its own. TRUNCATE would make files anew for all partitions.
 */
export async function clearPipeline(pool: Pool): Promise<void> {
  for (const table of ['due', 'parked', 'backlogs', 'attempts', 'deliveries', 'events']) {
    await pool.query(`DELETE FROM ${table}`)
  }
}
