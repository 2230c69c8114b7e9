/**
 * Dispatchers over a database, a bus and a state store of the test's own, with what the other
 * services would do. For tests.
 */
import type { Bus } from '@posthorn/bus/bus'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import { ENDPOINT_DEFAULTS, type EndpointConfig } from '@posthorn/contracts/endpoints'
import { type DueDelivery, dueTopicOf } from '@posthorn/contracts/topics'
import { brandOf } from '@posthorn/domain/brand'
import { type DeliveryState, STATE_CODE } from '@posthorn/domain/delivery-state'
import { newId } from '@posthorn/domain/ids'
import { directTargetId } from '@posthorn/domain/target'
import { createEgress } from '@posthorn/egress/egress'
import type { Log } from '@posthorn/runtime/log'
import { createMetrics, type Metrics } from '@posthorn/runtime/metrics'
import { createLazySandbox } from '@posthorn/sandbox/lazy-sandbox.fixture'
import { createInProcessState } from '@posthorn/state/in-process-state'
import type { StateStore } from '@posthorn/state/state-store'
import { createDatabaseClock } from '@posthorn/store/clock'
import { ensurePartitions } from '@posthorn/store/partitions'
import { acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import { fanOut } from '@posthorn/store/pipeline/fan-out'
import { loadDueDeliveries } from '@posthorn/store/pipeline/load-due-deliveries'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createSeal, type Seal, sealedAt } from '@posthorn/store/seal'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createDispatcher, type Dispatcher, type DispatcherDeps } from './app.ts'

export const GLOBAL_SECRET = 'whsec_Z2xvYmFsLXNlY3JldC1nbG9iYWw='

/** Where an endpoint waits until the test lets it respond. */
export function createGate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

export interface LogLine {
  name: string
  fields: Record<string, unknown>
}

export interface Attempt {
  attempt_number: number
  status_code: number
  error: string
  delivery_id: string
  response_body: string
  response_headers: string | null
  overhead_us: number
  wait_ms: number | null
}

export interface NewDelivery extends Partial<NewEvent> {
  /** The destination of a direct event. */
  destination?: string | null
  /** The endpoint of an event that was fanned out. */
  endpointId?: string
  /** In which it then waits; only the head is handed back. */
  lane?: string
}

export interface Rig {
  databaseUrl: string
  pool: Pool
  bus: Bus
  seal: Seal
  state: StateStore
  metrics: Metrics
  tenantId: string
  projectId: string
  lines: LogLine[]
  addEndpoint(
    config: Partial<EndpointConfig> & { url: string },
    more?: { secret?: string },
  ): Promise<string>
  setStatus(endpointId: string, status: 'active' | 'paused'): Promise<void>
  /** Accepts events and hands back their deliveries' messages, not announced. */
  accept(news: readonly NewDelivery[]): Promise<DueDelivery[]>
  /** One event by type, fanned out to these: its deliveries' messages, not announced. */
  acceptTyped(endpointIds: readonly string[]): Promise<DueDelivery[]>
  announce(messages: readonly DueDelivery[]): void
  /** Accepts and announces one. */
  deliver(one: NewDelivery): Promise<DueDelivery>
  /** What the scheduler does. */
  sweep(): Promise<void>
  /** Makes due what waits for its time, and sweeps. */
  hasten(): Promise<void>
  start(over?: Partial<DispatcherDeps>, storageDir?: string): Promise<Dispatcher>
  states(): Promise<Record<string, DeliveryState>>
  attempts(deliveryId?: string): Promise<Attempt[]>
  count(table: 'parked' | 'due' | 'backlogs' | 'attempts'): Promise<number>
  close(): Promise<void>
}

export async function createRig(): Promise<Rig> {
  const database = await createTestDatabase()
  const pool = openPool({ url: database.url, max: 8, name: 'dispatcher test', onError: () => {} })
  await ensurePartitions(pool, new Date())
  const seal = createSeal([Buffer.alloc(32, 7).toString('base64')])
  const bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const state: StateStore = createInProcessState()
  const egress = createEgress({ allowCidrs: ['127.0.0.0/8'] })
  const sandbox = createLazySandbox(
    { brand: 'Service', maxPayloadBytes: 256 * 1024, workers: 1 },
    { onReplaced: fail },
  )
  const clock = await createDatabaseClock(pool)
  const metrics = createMetrics('dispatcher', '0.1.0')
  const lines: LogLine[] = []
  const log = collectingLog(lines)
  const [tenantId, projectId] = [newId(), newId()]
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'Test', 'self_hosted', $2)`,
    [tenantId, seal.seal(GLOBAL_SECRET, sealedAt('tenants.signing_secret', tenantId))],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'Default', 'production', true)`,
    [tenantId, projectId],
  )
  const running = new Set<Dispatcher>()

  async function addEndpoint(
    config: Partial<EndpointConfig> & { url: string },
    { secret }: { secret?: string } = {},
  ): Promise<string> {
    const id = newId()
    const whole: EndpointConfig = { ...ENDPOINT_DEFAULTS, eventTypes: ['*'], ...config }
    await pool.query(
      `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config, signing_secret)
       VALUES ($1, $2, $3, 'active', 1, $4, $5)`,
      [
        tenantId,
        id,
        projectId,
        JSON.stringify(whole),
        secret === undefined
          ? null
          : seal.seal(secret, sealedAt('endpoints.signing_secret', tenantId, id)),
      ],
    )
    await changed()
    return id
  }

  async function changed(): Promise<void> {
    await pool.query('UPDATE tenants SET config_version = config_version + 1 WHERE id = $1', [
      tenantId,
    ])
    bus.announce('config.changed', [{ v: 1, tenantId, what: 'endpoints' }])
  }

  async function accept(news: readonly NewDelivery[]): Promise<DueDelivery[]> {
    const events = news.map((one) => newEvent(tenantId, projectId, one))
    const accepted = await acceptEvents(pool, events)
    const leased: { tenantId: string; id: string; token: number }[] = []
    const fanned: {
      tenantId: string
      eventId: string
      deliveries: { deliveryId: string; endpointId: string; lane?: string | undefined }[]
    }[] = []
    news.forEach(({ endpointId, lane }, index) => {
      const event = events[index] as NewEvent
      const outcome = accepted[index]
      if (outcome?.outcome !== 'accepted') throw new Error('not accepted')
      if (endpointId === undefined) leased.push({ tenantId, id: event.id, token: outcome.token })
      else
        fanned.push({
          tenantId,
          eventId: event.id,
          deliveries: [{ deliveryId: newId(), endpointId, lane }],
        })
    })
    if (fanned.length > 0) {
      for (const [id, token] of await fanOut(pool, fanned)) {
        if (token !== null) leased.push({ tenantId, id, token })
      }
    }
    return await loadDueDeliveries(pool, leased)
  }

  async function acceptTyped(endpointIds: readonly string[]): Promise<DueDelivery[]> {
    const [first = ''] = endpointIds
    const event = newEvent(tenantId, projectId, { endpointId: first })
    await acceptEvents(pool, [event])
    const deliveries = endpointIds.map((endpointId) => ({ deliveryId: newId(), endpointId }))
    const tokens = await fanOut(pool, [{ tenantId, eventId: event.id, deliveries }])
    const leased = [...tokens].map(([id, token]) => ({ tenantId, id, token: token ?? 0 }))
    return await loadDueDeliveries(pool, leased)
  }

  function announce(messages: readonly DueDelivery[]): void {
    for (const message of messages) bus.announce(dueTopicOf(message), [message])
  }

  async function sweep(): Promise<void> {
    const { deliveries, backlogs } = await sweepDue(pool, 1_000)
    announce(deliveries)
    bus.announce('delivery.due.high', backlogs)
  }

  return {
    databaseUrl: database.url,
    pool,
    bus,
    seal,
    state,
    metrics,
    tenantId,
    projectId,
    lines,
    addEndpoint,
    async setStatus(endpointId, status) {
      await pool.query('UPDATE endpoints SET status = $2 WHERE id = $1', [endpointId, status])
      await changed()
    },
    accept,
    acceptTyped,
    announce,
    async deliver(one) {
      const [message] = await accept([one])
      if (message === undefined) throw new Error('nothing to announce')
      announce([message])
      return message
    },
    sweep,
    async hasten() {
      await pool.query('UPDATE due SET due_at = now() WHERE NOT leased')
      await sweep()
    },
    async start(over = {}, storageDir) {
      const dispatcher = createDispatcher(
        {
          brand: brandOf('Service'),
          version: '1.2.3',
          storageDir,
          slots: 2_048,
          defaultPlan: 'self_hosted',
        },
        {
          pool,
          bus,
          state,
          egress,
          sandbox,
          seal,
          clock,
          usage: { attemptRecorded() {} },
          log,
          metrics,
          random: () => 0.5,
          ...over,
        },
      )
      await dispatcher.start()
      running.add(dispatcher)
      return dispatcher
    },
    async states() {
      const { rows } = await pool.query<{ id: string; state: number }>(
        'SELECT id, state FROM deliveries',
      )
      const named = Object.entries(STATE_CODE)
      return Object.fromEntries(
        rows.map(({ id, state: code }) => [
          id,
          named.find(([, one]) => one === code)?.[0] as DeliveryState,
        ]),
      )
    },
    async attempts(deliveryId) {
      const { rows } = await pool.query<Attempt>(
        `SELECT *, extract(epoch FROM next_attempt_at - now())::float8 * 1000 AS wait_ms
         FROM attempts
         WHERE delivery_id = $1 OR $1 IS NULL ORDER BY attempt_number, id`,
        [deliveryId ?? null],
      )
      return rows
    },
    async count(table) {
      const { rows } = await pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${table}`,
      )
      return rows[0]?.count ?? 0
    },
    async close() {
      await Promise.all([...running].map((dispatcher) => dispatcher.stop(500)))
      await bus.close(100)
      await egress.close()
      await sandbox.close()
      await pool.end()
      await database.drop()
    },
  }
}

function newEvent(
  tenantId: string,
  projectId: string,
  { endpointId, lane: _, ...one }: NewDelivery,
): NewEvent {
  const id = newId()
  const destination = endpointId === undefined ? (one.destination ?? 'http://127.0.0.1:1/') : null
  return {
    tenantId,
    id,
    projectId,
    source: 'api',
    idempotencyKey: id,
    destination,
    targetId: destination === null ? null : directTargetId(tenantId, destination),
    eventType: endpointId === undefined ? null : 'order.paid',
    payload: '{"n":1}',
    headers: null,
    maxAttempts: null,
    priority: 5,
    traceId: `trace-${id.slice(-6)}`,
    delaySeconds: 0,
    ...(endpointId === undefined ? one : { ...one, destination: null }),
  }
}

function collectingLog(lines: LogLine[]): Log {
  const write = (name: string, fields: Record<string, unknown> = {}): void =>
    void lines.push({ name, fields })
  return { debug: write, info: write, warn: write, error: write, flush: () => {} }
}

function fail(...reasons: unknown[]): never {
  throw new Error(`the bus failed: ${JSON.stringify(reasons)}`)
}
