/**
 * Events of a tenant whose endpoints have filters, through the whole service on a real Postgres.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import type { EndpointConfig } from '@posthorn/contracts/endpoints'
import type { DeliveryDue } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import { acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { createFanout } from './app.ts'

type Line = { name: string } & Record<string, unknown>

let database: TestDatabase
let pool: Pool
let stop: () => Promise<void>
let announce: (event: NewEvent) => void
const announced: DeliveryDue[] = []
const lines: Line[] = []
const tenantId = newId()
const projectId = newId()

beforeEach(async () => {
  announced.length = 0
  lines.length = 0
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 4, name: 'test', onError: () => {} })
  await pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'T', 'self_hosted', '')`,
    [tenantId],
  )
  await pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'P', 'production', true)`,
    [tenantId, projectId],
  )
  await startFanout()
})
afterEach(async () => {
  await stop()
  await pool.end()
  await database.drop()
})

async function startFanout(): Promise<void> {
  const fail = (failure: unknown): void => void lines.push({ name: 'bus.failed', failure })
  const bus = createInProcessBus({}, { onPoison: fail, onError: fail, onFatal: fail })
  const write = (name: string, fields = {}): void => void lines.push({ name, ...fields })
  const log = { debug: write, info: write, warn: write, error: write, flush: () => {} }
  const service = createFanout({
    pool,
    bus: {
      ...bus,
      announce: (topic, messages) => {
        if (topic.startsWith('delivery.')) announced.push(...(messages as readonly DeliveryDue[]))
        return bus.announce(topic, messages)
      },
    },
    log: log as Parameters<typeof createFanout>[0]['log'],
    metrics: { count: () => {} } as unknown as Parameters<typeof createFanout>[0]['metrics'],
  })
  await service.start()
  announce = ({ id: eventId }) => void bus.announce('event.accepted', [{ v: 1, tenantId, eventId }])
  stop = async () => {
    await service.stop(1_000)
    await bus.close(1_000)
  }
}

async function addEndpoint(filter: EndpointConfig['filter'] | undefined): Promise<string> {
  const id = newId()
  const config = { url: 'https://a.example/', eventTypes: ['order.*'], filter }
  await pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
     VALUES ($1, $2, $3, 'active', 1, $4)`,
    [tenantId, id, projectId, JSON.stringify(config)],
  )
  await bumpVersion()
  return id
}

async function bumpVersion(): Promise<void> {
  await pool.query('UPDATE tenants SET config_version = config_version + 1 WHERE id = $1', [
    tenantId,
  ])
}

/** @returns the endpoints that got a delivery of it, once it is fanned out */
async function fanOutOne(payload: string, endpointIds?: readonly string[]): Promise<string[]> {
  const event: NewEvent = {
    tenantId,
    projectId,
    id: newId(),
    idempotencyKey: newId(),
    destination: null,
    targetId: null,
    eventType: 'order.paid',
    payload,
    headers: null,
    maxAttempts: null,
    priority: 5,
    traceId: 'trace',
    delaySeconds: 0,
    endpointIds,
  }
  await acceptEvents(pool, [event])
  announce(event)
  await eventually(() => lines.some((line) => line['eventId'] === event.id && isFannedOut(line)))
  const { rows } = await pool.query<{ endpoint_id: string }>(
    'SELECT endpoint_id FROM deliveries WHERE event_id = $1 ORDER BY endpoint_id',
    [event.id],
  )
  const told = announced.flatMap((message) =>
    'eventId' in message && message.eventId === event.id ? [message.endpointId] : [],
  )
  expect(told.sort()).toEqual(rows.map((row) => row.endpoint_id))
  return rows.map((row) => row.endpoint_id)
}

function isFannedOut({ name }: Line): boolean {
  return name === 'event.fanned-out'
}

test('an event goes only to the endpoints whose filters accept it', async () => {
  const all = await addEndpoint(null)
  const old = await addEndpoint(undefined) // as an older version wrote it: without the field
  const large = await addEndpoint([{ field: '$.amount', operator: 'gte', value: 100 }])
  const vip = await addEndpoint([
    { field: '$.customer.tags[*]', operator: 'eq', value: 'vip' },
    { field: '$.customer.email', operator: 'regex', value: '@example\\.com$' },
  ])
  expect(await fanOutOne('{"amount": 99.5}')).toEqual([all, old])
  expect(await fanOutOne('{"amount": 1e2}')).toEqual([all, old, large])
  expect(
    await fanOutOne('{"customer": {"tags": ["new", "vip"], "email": "j@example.com"}}'),
  ).toEqual([all, old, vip])
  expect(lines.filter(isFannedOut)).toMatchObject([
    { deliveries: 2, filteredOut: 2 },
    { deliveries: 3, filteredOut: 1 },
    { deliveries: 3, filteredOut: 1 },
  ])
})

test('an event for named endpoints goes to those that exist and accept it, and to no others', async () => {
  const plain = await addEndpoint(null)
  const large = await addEndpoint([{ field: '$.amount', operator: 'gte', value: 100 }])
  const gone = await addEndpoint(null)
  const elsewhere = await addEndpoint(null)
  await pool.query(
    `UPDATE endpoints SET config = jsonb_set(config, '{eventTypes}', '["user.*"]') WHERE id = $1`,
    [plain],
  )
  await pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [gone])
  await bumpVersion()
  expect(await fanOutOne('{"amount": 99}', [plain, large, gone])).toEqual([plain])
  expect(await fanOutOne('{"amount": 100}', [plain, large, gone])).toEqual([plain, large])
  expect(await fanOutOne('{"amount": 100}', [gone])).toEqual([])
  expect(await fanOutOne('{"amount": 100}')).toEqual([large, elsewhere])
})

test('an event that no filter accepts is done at once', async () => {
  await addEndpoint([{ field: '$.amount', operator: 'gt', value: 1 }])
  expect(await fanOutOne('{"amount": "2"}')).toEqual([])
  const { rows } = await pool.query(
    `SELECT open_count, ended_at IS NOT NULL AS ended, (SELECT count(*)::int FROM due) AS due
      FROM events`,
  )
  expect(rows).toEqual([{ open_count: 0, ended: true, due: 0 }])
})

test('a changed filter is in force for the next event', async () => {
  const id = await addEndpoint([{ field: '$.n', operator: 'eq', value: 1 }])
  expect(await fanOutOne('{"n": 1}')).toEqual([id])
  await pool.query(`UPDATE endpoints SET config = jsonb_set(config, '{filter,0,value}', '2')`)
  await bumpVersion()
  expect(await fanOutOne('{"n": 1}')).toEqual([])
  expect(await fanOutOne('{"n": 2}')).toEqual([id])
})

test('a filter that can’t be evaluated holds back no event, and is logged', async () => {
  const broken = await addEndpoint([{ field: '$..n', operator: 'eq', value: 1 }])
  const sound = await addEndpoint([{ field: '$.n', operator: 'eq', value: 1 }])
  expect(await fanOutOne('{"n": 1}')).toEqual([broken, sound])
  expect(lines.filter(({ name }) => name === 'filter.failed')).toMatchObject([
    { tenantId, endpointId: broken, error: [{ path: '0.field' }] },
  ])
})
