/** Replaying many events at once over HTTP and a real Postgres. */
import { describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { ingest, requireShape, setState, tenant, useIngest } from './ingest.fixture.ts'

const DIRECT = { destination: 'https://example.com/hook?x=1', payload: { n: 1 } }

useIngest()

const get = (id: string, who = tenant) => who.call('GET', `/api/v1/events/${id}`)

async function postDead(payload: unknown = { n: 1 }): Promise<string> {
  const { body } = await tenant.post({ destination: DIRECT.destination, payload })
  await setState(ingest.pool, body.id, 'dead')
  return body.id
}

describe('batch retry', () => {
  const retry = (body: unknown, headers?: Record<string, string>) =>
    tenant.call('POST', '/api/v1/events/batch/retry', body, headers)

  test('by ids: unknown, foreign and not replayable ones are skipped, and repeated ones count once', async () => {
    const stranger = await ingest.addTenant()
    const [dead, queued, foreign] = [
      await postDead(),
      (await tenant.post(DIRECT)).body.id,
      (await stranger.post(DIRECT)).body.id,
    ]
    await setState(ingest.pool, foreign, 'dead')
    const answer = await retry({
      eventIds: [queued, dead, foreign, newId(), 'nonsense', dead.toUpperCase()],
    })
    requireShape('retryBatch', answer)
    expect(answer.body).toEqual({ retried: 1, skipped: 4, eventIds: [dead] })
    expect((await get(foreign, stranger)).body.status).toBe('dead')
    const elsewhere = { 'X-Project-ID': await ingest.addProject(tenant.tenantId) }
    expect((await retry({ eventIds: [await postDead()] }, elsewhere)).body).toEqual({
      retried: 0,
      skipped: 1,
      eventIds: [],
    })
  })

  test('by status: the oldest first, up to the limit', async () => {
    const ids = [await postDead(), await postDead(), await postDead()]
    const failed = (await tenant.post(DIRECT)).body.id
    await setState(ingest.pool, failed, 'waiting')
    expect((await retry({ status: 'dead', limit: 2 })).body).toEqual({
      retried: 2,
      skipped: 0,
      eventIds: ids.slice(0, 2),
    })
    expect((await retry({ status: 'failed' })).body.eventIds).toEqual([failed])
    expect((await retry({ status: 'failed' })).body).toEqual({
      retried: 0,
      skipped: 0,
      eventIds: [],
    })
  })

  test('by endpoint: events with a delivery to it that can be replayed', async () => {
    const endpointId = newId()
    await ingest.pool.query(
      `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
        VALUES ($1, $2, $3, 'active', 1, '{}')`,
      [tenant.tenantId, endpointId, tenant.projectId],
    )
    const typed = (await tenant.post({ eventType: 'a.b', payload: {} })).body.id
    await ingest.pool.query(
      `INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority)
        VALUES ($1, $2, $3, $4, $4, 1, 5)`,
      [tenant.tenantId, newId(), typed, endpointId],
    )
    expect((await retry({ endpointId })).body).toEqual({ retried: 0, skipped: 0, eventIds: [] })
    await setState(ingest.pool, typed, 'dead')
    expect((await retry({ endpointId, limit: 1 })).body).toEqual({
      retried: 1,
      skipped: 0,
      eventIds: [typed],
    })
    expect((await get(typed)).body.status).toBe('queued')
    for (const unknown of [newId(), 'nonsense'])
      expect((await retry({ endpointId: unknown })).status).toBe(404)
  })

  test('by endpoint: none is hidden by thousands that wait elsewhere or can’t be replayed', async () => {
    const [endpointId, busy] = [newId(), newId()]
    for (const id of [endpointId, busy]) {
      await ingest.pool.query(
        `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
          VALUES ($1, $2, $3, 'active', 1, '{}')`,
        [tenant.tenantId, id, tenant.projectId],
      )
    }
    const wait = `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
      VALUES ($1, $2, 1, now() + interval '1 h', false, $3)`
    const park = `INSERT INTO parked (tenant_id, delivery_id, target_id, priority, seq, event_id)
      VALUES ($1, $2, $3, 5, 9000, $4)`
    await ingest.pool.query(
      `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
       SELECT $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 1,
         now() + interval '1 h', false, $2
       FROM generate_series(1, 6000) n`,
      [tenant.tenantId, busy],
    )
    await ingest.pool.query(
      `INSERT INTO parked (tenant_id, delivery_id, target_id, priority, seq, event_id)
       SELECT $1, gen_random_uuid(), $2, 5, n, gen_random_uuid() FROM generate_series(1, 6000) n`,
      [tenant.tenantId, endpointId],
    )
    const failed: string[] = []
    for (const where of [wait, park]) {
      const { id } = (await tenant.post({ eventType: 'a.b', payload: {} })).body
      const deliveryId = newId()
      await ingest.pool.query(
        `INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority)
          VALUES ($1, $2, $3, $4, $4, 1, 5)`,
        [tenant.tenantId, deliveryId, id, endpointId],
      )
      await setState(ingest.pool, id, 'waiting')
      const values = [tenant.tenantId, deliveryId, endpointId]
      await ingest.pool.query(where, where === park ? [...values, id] : values)
      failed.push(id)
    }
    expect((await retry({ endpointId })).body).toEqual({ retried: 2, skipped: 0, eventIds: failed })
  })

  test.each([
    [{}, 'eventIds'],
    [{ eventIds: [] }, 'eventIds'],
    [{ eventIds: [newId()], limit: 1 }, 'limit'],
    [{ status: 'dead', endpointId: newId() }, 'eventIds'],
    [{ status: 'queued' }, 'status'],
    [{ status: 'dead', limit: 1_001 }, 'limit'],
  ])('%j is 400 naming %s', async (body, path) => {
    expect(await retry(body)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: [{ path }] },
    })
  })
})
