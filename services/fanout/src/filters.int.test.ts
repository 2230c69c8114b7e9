/**
 * Events of a tenant whose endpoints have filters, through the whole service on a real Postgres.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { EndpointConfig } from '@posthorn/contracts/endpoints'
import { eventually } from '@posthorn/testing/eventually'
import { type LogLine, startTestFanout, type Tenant, type TestFanout } from './fanout.fixture.ts'

let fanout: TestFanout
let tenant: Tenant

beforeEach(async () => {
  fanout = await startTestFanout()
  tenant = await fanout.addTenant()
})
afterEach(async () => await fanout.close())

async function addEndpoint(filter: EndpointConfig['filter'] | undefined): Promise<string> {
  const config = { url: 'https://a.example/', eventTypes: ['order.*'], filter }
  const id = await fanout.addEndpoint(tenant, config as Partial<EndpointConfig>)
  await bumpVersion()
  return id
}

async function bumpVersion(): Promise<void> {
  await fanout.pool.query('UPDATE tenants SET config_version = config_version + 1 WHERE id = $1', [
    tenant.tenantId,
  ])
}

/** @returns the endpoints that got a delivery of it, once it is fanned out */
async function fanOutOne(payload: string, endpointIds?: readonly string[]): Promise<string[]> {
  const [eventId = ''] = await fanout.accept(tenant, [payload], { endpointIds })
  fanout.announce(tenant.tenantId, [eventId])
  await eventually(() =>
    fanout.lines.some((line) => line['eventId'] === eventId && isFannedOut(line)),
  )
  const { rows } = await fanout.pool.query<{ endpoint_id: string }>(
    'SELECT endpoint_id FROM deliveries WHERE event_id = $1 ORDER BY endpoint_id',
    [eventId],
  )
  const announced = fanout.announced.flatMap((message) =>
    'eventId' in message && message.eventId === eventId ? [message.endpointId] : [],
  )
  expect(announced.sort()).toEqual(rows.map((row) => row.endpoint_id))
  return rows.map((row) => row.endpoint_id)
}

function isFannedOut({ name }: LogLine): boolean {
  return name === 'event.fanned-out'
}

test('an event goes only to the endpoints whose filters accept it', async () => {
  const all = await addEndpoint(null)
  const old = await addEndpoint(undefined) // without the field, as an older version wrote it
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
  expect(fanout.lines.filter(isFannedOut)).toMatchObject([
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
  await fanout.pool.query(
    `UPDATE endpoints SET config = jsonb_set(config, '{eventTypes}', '["user.*"]') WHERE id = $1`,
    [plain],
  )
  await fanout.pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [gone])
  await bumpVersion()
  expect(await fanOutOne('{"amount": 99}', [plain, large, gone])).toEqual([plain])
  expect(await fanOutOne('{"amount": 100}', [plain, large, gone])).toEqual([plain, large])
  expect(await fanOutOne('{"amount": 100}', [gone])).toEqual([])
  expect(await fanOutOne('{"amount": 100}')).toEqual([large, elsewhere])
})

test('an event that no filter accepts is done at once', async () => {
  await addEndpoint([{ field: '$.amount', operator: 'gt', value: 1 }])
  expect(await fanOutOne('{"amount": "2"}')).toEqual([])
  const { rows } = await fanout.pool.query(
    `SELECT open_count, ended_at IS NOT NULL AS ended, (SELECT count(*)::int FROM due) AS due
      FROM events`,
  )
  expect(rows).toEqual([{ open_count: 0, ended: true, due: 0 }])
})

test('a changed filter takes effect with the next event', async () => {
  const id = await addEndpoint([{ field: '$.n', operator: 'eq', value: 1 }])
  expect(await fanOutOne('{"n": 1}')).toEqual([id])
  await fanout.pool.query(
    `UPDATE endpoints SET config = jsonb_set(config, '{filter,0,value}', '2')`,
  )
  await bumpVersion()
  expect(await fanOutOne('{"n": 1}')).toEqual([])
  expect(await fanOutOne('{"n": 2}')).toEqual([id])
})

test('a filter that can’t be evaluated holds back no event, and is logged', async () => {
  const broken = await addEndpoint([{ field: '$..n', operator: 'eq', value: 1 }])
  const sound = await addEndpoint([{ field: '$.n', operator: 'eq', value: 1 }])
  expect(await fanOutOne('{"n": 1}')).toEqual([broken, sound])
  expect(fanout.lines.filter(({ name }) => name === 'filter.failed')).toMatchObject([
    { tenantId: tenant.tenantId, endpointId: broken, error: [{ path: '0.field' }] },
  ])
})
