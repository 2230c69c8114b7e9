/** The service over a database of its own, with tenants whose events it fans out. For tests. */
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import type { EndpointConfig } from '@posthorn/contracts/endpoints'
import type { DeliveryDue } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import { acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase } from '@posthorn/testing/databases'
import { createFanout, type FanoutDeps } from './app.ts'

export interface Tenant {
  tenantId: string
  projectId: string
}

export type LogLine = { level: string; name: string } & Record<string, unknown>

export interface TestFanout {
  pool: Pool
  /** The messages about deliveries and backlogs. */
  announced: DeliveryDue[]
  lines: LogLine[]
  addTenant(): Promise<Tenant>
  addEndpoint(tenant: Tenant, config: Partial<EndpointConfig>): Promise<string>
  accept(tenant: Tenant, payloads: readonly string[], more?: Partial<NewEvent>): Promise<string[]>
  /** Announces accepted events, as ingest and the scheduler do. */
  announce(tenantId: string, eventIds: readonly string[]): void
  /** Says that others go beside the tenant's flood, as dispatchers do. */
  congest(tenantId: string): void
  close(): Promise<void>
}

/** @param wrapPool the pool that the service gets instead */
export async function startTestFanout(
  instances = 1,
  wrapPool: (pool: Pool) => Pool = (pool) => pool,
): Promise<TestFanout> {
  const database = await createTestDatabase()
  const pool = openPool({ url: database.url, max: 8, name: 'test', onError: () => {} })
  const announced: DeliveryDue[] = []
  const lines: LogLine[] = []
  const write =
    (level: string) =>
    (name: string, fields = {}): void =>
      void lines.push({ level, name, ...fields })
  const fail = (failure: unknown): void => write('error')('bus.failed', { failure })
  const bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const deps: Pick<FanoutDeps, 'pool' | 'bus'> = {
    pool: wrapPool(pool),
    bus: {
      ...bus,
      announce: (topic, messages) => {
        if (topic.startsWith('delivery.')) announced.push(...(messages as readonly DeliveryDue[]))
        return bus.announce(topic, messages)
      },
    },
  }
  const log = { info: write('info'), warn: write('warn'), error: write('error') }
  const metrics = { count: () => {} }
  const services = Array.from({ length: instances }, () =>
    createFanout({ ...deps, log, metrics } as unknown as FanoutDeps),
  )
  for (const service of services) await service.start()
  return {
    pool,
    announced,
    lines,
    addTenant: async () => await addTenant(pool),
    addEndpoint: async (tenant, config) => await addEndpoint(pool, tenant, config),
    accept: async (tenant, payloads, more) => await accept(pool, tenant, payloads, more),
    announce(tenantId, eventIds) {
      const messages = eventIds.map((eventId) => ({ v: 1, tenantId, eventId }) as const)
      bus.announce('event.accepted', messages)
    },
    congest: (tenantId) => void bus.announce('flood.congested', [{ v: 1, tenantId }]),
    async close() {
      for (const service of services) await service.stop(1_000)
      await bus.close(1_000)
      await pool.end()
      await database.drop()
    },
  }
}

async function addTenant(pool: Pool): Promise<Tenant> {
  const tenant = { tenantId: newId(), projectId: newId() }
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'T', 'self_hosted', '')`,
    [tenant.tenantId],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'P', 'production', true)`,
    [tenant.tenantId, tenant.projectId],
  )
  return tenant
}

async function addEndpoint(
  pool: Pool,
  { tenantId, projectId }: Tenant,
  config: Partial<EndpointConfig>,
): Promise<string> {
  const id = newId()
  await pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, $4)`,
    [tenantId, id, projectId, JSON.stringify({ eventTypes: ['*'], ...config })],
  )
  return id
}

/** In one statement, so that they are in the order of the payloads. */
async function accept(
  pool: Pool,
  { tenantId, projectId }: Tenant,
  payloads: readonly string[],
  more: Partial<NewEvent> = {},
): Promise<string[]> {
  const events = payloads.map((payload): NewEvent => {
    const id = newId()
    return {
      tenantId,
      projectId,
      source: 'api',
      id,
      idempotencyKey: id,
      destination: null,
      targetId: null,
      eventType: 'order.paid',
      payload,
      headers: null,
      maxAttempts: null,
      priority: 5,
      traceId: 'trace',
      delaySeconds: 0,
      ...more,
    }
  })
  await acceptEvents(pool, events)
  return events.map(({ id }) => id)
}
