/**
 * The audited routes of events: one row where the request is answered with 2xx, none where it is
 * refused or fails, and where the row can't be written nothing else is.
 */
import { describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { type Route, type RouteName, routeCatalog } from '@posthorn/contracts/routes'
import { ingest, setState, tenant, useIngest } from './ingest.fixture.ts'

const DIRECT = { destination: 'https://example.com/hook?token=planted-token', payload: { n: 1 } }
const PLANTED = 'planted-secret-in-a-payload'

useIngest()

async function postDead(): Promise<string> {
  const { body } = await tenant.post(DIRECT)
  await setState(ingest.pool, body.id, 'dead')
  return body.id
}

interface AuditedCall {
  path(id: string): string
  body?(id: string): unknown
  refusedBody: unknown
  resourceId(id: string): string
  metadata(id: string): object
}

const CALLS: Partial<Record<RouteName, AuditedCall>> = {
  editEvent: {
    path: (id) => `/api/v1/events/${id}`,
    body: () => ({ payload: { secret: PLANTED }, destination: DIRECT.destination, replay: true }),
    refusedBody: { payload: 1 },
    resourceId: (id) => id,
    metadata: () => ({
      replay: true,
      changes: [
        { field: 'destination', from: null, to: 'https://example.com/hook?…' },
        { field: 'payload', from: null, to: 'changed' },
      ],
    }),
  },
  replayEvent: {
    path: (id) => `/api/v1/events/${id}/replay`,
    refusedBody: undefined,
    resourceId: (id) => id,
    metadata: () => ({}),
  },
  retryBatch: {
    path: () => '/api/v1/events/batch/retry',
    body: (id) => ({ eventIds: [id] }),
    refusedBody: { eventIds: [1] },
    resourceId: () => tenant.tenantId,
    metadata: () => ({ status: null, endpointId: null, events: 1 }),
  },
}

const routes = (Object.entries(routeCatalog('Service')) as [RouteName, Route][]).filter(
  // The portal's routes are flows of these, and have tests of their own.
  ([, route]) =>
    route.service === 'ingest-api' &&
    typeof route.audit === 'string' &&
    route.access.by !== 'sub-account',
)

async function rows() {
  const found = await ingest.pool.query(
    'SELECT * FROM audit_logs WHERE tenant_id = $1 ORDER BY id',
    [tenant.tenantId],
  )
  return found.rows
}

async function stateOf(id: string): Promise<unknown> {
  const { rows: found } = await ingest.pool.query(
    `SELECT e.payload, e.open_count, e.dead_count, d.state, d.edition,
       (SELECT count(*)::int FROM due WHERE due.id = d.id) AS due
     FROM events e JOIN deliveries d ON d.event_id = e.id WHERE e.id = $1`,
    [id],
  )
  return found
}

/** As if the table could not be written. */
async function refuseAudits(refuse: boolean): Promise<void> {
  await ingest.pool.query(
    refuse
      ? `CREATE OR REPLACE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'no space is left' USING ERRCODE = '53100'; END $$;
         CREATE TRIGGER refuse_audit BEFORE INSERT ON audit_logs
           FOR EACH ROW EXECUTE FUNCTION refuse_audit()`
      : 'DROP TRIGGER refuse_audit ON audit_logs',
  )
}

describe.each(routes)('%s', (name, route) => {
  const call = CALLS[name] as AuditedCall

  test('leaves one row where it is done, and none where it is not', async () => {
    expect(call).toBeDefined()
    const id = await postDead()
    const before = await stateOf(id)
    const { key } = await ingest.addTenant({ scopes: ['events:read'] })
    const body = call.body?.(id)
    const bad = [
      [403, await ingest.callAs(key)(route.method, call.path(id), body)],
      ...(call.path(id).includes(id)
        ? ([[404, await tenant.call(route.method, call.path(newId()), body)]] as const)
        : []),
      ...(call.body === undefined
        ? []
        : ([[400, await tenant.call(route.method, call.path(id), call.refusedBody)]] as const)),
    ] as const
    for (const [status, answer] of bad) expect(answer.status).toBe(status)
    await refuseAudits(true)
    const failed = await tenant.call(route.method, call.path(id), body)
    await refuseAudits(false)
    expect(failed.status).toBe(503)
    expect(await rows()).toEqual([])
    expect(await stateOf(id)).toEqual(before)

    const done = await tenant.call(route.method, call.path(id), body)
    expect(done.status).toBe(200)
    expect(await rows()).toMatchObject([
      { action: route.audit, resource_id: call.resourceId(id), actor_type: 'api_key' },
    ])
    const [row] = await rows()
    expect(row.metadata).toEqual(call.metadata(id))
    expect(JSON.stringify(row)).not.toContain('planted')
    expect(await stateOf(id)).not.toEqual(before)
  })
})

test('a replay of nothing is refused without a row, and a batch of none has its row', async () => {
  const { body } = await tenant.post(DIRECT)
  expect((await tenant.call('POST', `/api/v1/events/${body.id}/replay`)).status).toBe(409)
  expect(await rows()).toEqual([])
  const retried = await tenant.call('POST', '/api/v1/events/batch/retry', { status: 'dead' })
  expect(retried.body).toMatchObject({ retried: 0 })
  expect(await rows()).toMatchObject([{ action: 'event.replay_batch' }])
})

test('events themselves are not audited', async () => {
  await tenant.post(DIRECT)
  const batch = { events: [{ idempotencyKey: newId(), ...DIRECT }] }
  expect((await tenant.call('POST', '/api/v1/events/batch', batch)).status).toBe(201)
  expect(await rows()).toEqual([])
})
