import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Json, other, portal, tenant, usePortal } from '../portal.fixture.ts'

usePortal()
beforeEach(() => {
  portal.deliveries.length = 0
  portal.lines.length = 0
})

const minimal = { url: 'https://shop.example/hook', eventTypes: ['order.*'] }

async function create(body: object = {}): Promise<Json> {
  const created = await tenant.call('POST', '/endpoints', { ...minimal, ...body })
  expect(created.status).toBe(201)
  return created.body
}

describe('a new endpoint', () => {
  test('may begin paused', async () => {
    const { id, status } = await create({ status: 'paused' })
    expect(status).toBe('paused')
    expect((await tenant.call('POST', `/endpoints/${id}/resume`)).body.status).toBe('active')
    expect((await create({ status: 'active' })).status).toBe('active')
  })

  test.each(['disabled', 'deleted', null, 1])('may not begin %j', async (status) => {
    const refused = await tenant.call('POST', '/endpoints', { ...minimal, status })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'status' }] } })
  })
})

describe('a sample event', () => {
  test('goes to that endpoint alone, whatever it subscribes to and filters', async () => {
    const filter = [{ field: '$.amount', operator: 'gte', value: 1_000 }]
    const { id } = await create({ filter })
    await create({ eventTypes: ['*'] })
    const sent = await tenant.call('POST', `/endpoints/${id}/test`)
    expect(sent).toMatchObject({
      status: 201,
      body: {
        eventType: 'endpoint.test',
        destination: null,
        status: 'queued',
        attempts: 0,
        priority: 5,
        projectId: tenant.projectId,
        traceId: sent.headers.get('X-Request-Id'),
      },
    })
    const eventId = sent.body.id
    expect(portal.deliveries).toMatchObject([
      { kind: 'delivery', eventId, endpointId: id, eventType: 'endpoint.test', attempts: 0 },
    ])
    expect(JSON.parse(portal.deliveries[0]!.payload as string)).toMatchObject({
      test: true,
      endpointId: id,
    })
    const { rows } = await portal.pool.query(
      'SELECT endpoint_id, state FROM deliveries WHERE event_id = $1',
      [eventId],
    )
    expect(rows).toEqual([{ endpoint_id: id, state: 0 }])
    const event = await portal.pool.query(
      'SELECT fanned_out_at, open_count FROM events WHERE id = $1',
      [eventId],
    )
    expect(event.rows).toEqual([{ fanned_out_at: expect.any(Date), open_count: 1 }])
    const line = portal.lines.find(({ name }) => name === 'event.accepted')
    expect(line?.fields).toMatchObject({ kind: 'test', eventId, endpointId: id })
  })

  test('has the type and the very bytes that were given', async () => {
    const { id } = await create()
    const body = '{ "eventType": "order.paid", "payload": {"b":1.0, "a":12345678901234567890} }'
    const sent = await tenant.call('POST', `/endpoints/${id}/test`, body)
    expect(sent).toMatchObject({ status: 201, body: { eventType: 'order.paid' } })
    expect(portal.deliveries[0]?.payload).toBe('{"b":1.0, "a":12345678901234567890}')
  })

  test('to an endpoint in poll mode waits there', async () => {
    const { id } = await create({ url: 'poll://mine', deliveryMode: 'poll' })
    const sent = await tenant.call('POST', `/endpoints/${id}/test`, {})
    expect(portal.deliveries).toEqual([])
    const polled = await tenant.call('GET', `/poll?endpoint_id=${id}&timeout=1`)
    expect(polled.body.events).toMatchObject([{ id: sent.body.id, eventType: 'endpoint.test' }])
  })

  test.each<[object, string]>([
    [{ eventType: 'a b' }, 'eventType'],
    [{ payload: [1] }, 'payload'],
    [{ destination: 'https://a.example' }, 'destination'],
  ])('%j is refused', async (body, path) => {
    const { id } = await create()
    const refused = await tenant.call('POST', `/endpoints/${id}/test`, body)
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path }] } })
  })

  test('is as large as any event may be, and no larger', async () => {
    const { id } = await create()
    const send = async (length: number): Promise<Json> =>
      await tenant.call('POST', `/endpoints/${id}/test`, { payload: { x: 'x'.repeat(length) } })
    expect((await send(256 * 1024 - 8)).status).toBe(201)
    expect(await send(256 * 1024 - 7)).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE' },
    })
  })

  test('to what is not there, or another tenant’s, is not found', async () => {
    const { id } = await create()
    expect((await other.call('POST', `/endpoints/${id}/test`, {})).status).toBe(404)
    await tenant.call('DELETE', `/endpoints/${id}`)
    expect((await tenant.call('POST', `/endpoints/${id}/test`, {})).status).toBe(404)
    expect(portal.deliveries).toEqual([])
  })
})
