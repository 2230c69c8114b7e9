import { describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { editEvent } from '@posthorn/store/pipeline/replay-events'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import { portal, tenant } from '../portal.fixture.ts'
import {
  ack,
  createEndpoint,
  endpointId,
  idsOf,
  poll,
  pollEndpoint,
  send,
  usePollEndpoint,
} from './polls.fixture.ts'

const SOME_ID = '01981f3a-7c00-7000-8000-000000000001'

usePollEndpoint()

describe('an acknowledgement', () => {
  test('of what was edited since it was fetched is not taken: the edited event comes again', async () => {
    const dead = newId()
    const id = await send()
    await portal.pool.query(
      `INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority,
        state, dead_reason, ended_at)
       SELECT tenant_id, $2, event_id, $2, $2, seq, priority, 4, 'expired', now()
       FROM deliveries WHERE event_id = $1`,
      [id, dead],
    )
    await portal.pool.query('UPDATE events SET dead_count = 1 WHERE id = $1', [id])
    expect(idsOf(await poll())).toEqual([id])
    const edit = { payload: '{"edited":true}' }
    expect((await editEvent(portal.pool, tenant.tenantId, id, edit, true)).outcome).toBe('edited')
    expect((await ack(id)).body).toEqual({ acknowledged: [], notFound: [id] })
    await portal.pool.query('UPDATE due SET due_at = now() WHERE tenant_id = $1', [tenant.tenantId])
    await sweepDue(portal.pool, 100)
    // Events that have become visible again are not returned either, because the check did not see
    // them.
    expect((await ack(id)).body.acknowledged).toEqual([])
    expect((await poll()).body.events).toMatchObject([{ id, payload: { edited: true } }])
    expect((await ack(id)).body.acknowledged).toEqual([id])
  })

  test('of an edited event that was fetched as often as it may be: it comes once more', async () => {
    pollEndpoint(await createEndpoint({ maxRetries: 1 }))
    const id = await send()
    expect(idsOf(await poll())).toEqual([id])
    await portal.pool.query('UPDATE deliveries SET edition = edition + 1 WHERE event_id = $1', [id])
    const end = async (): Promise<void> => {
      await portal.pool.query('UPDATE due SET due_at = now() WHERE tenant_id = $1', [
        tenant.tenantId,
      ])
      await sweepDue(portal.pool, 100)
    }
    await end()
    expect(idsOf(await poll())).toEqual([id])
    await end()
    expect((await ack(id)).body.acknowledged).toEqual([])
  })

  test('lists what was acknowledged and not found, however often it is sent', async () => {
    const [first, second] = [await send(), await send()]
    await poll()
    const unknown = newId()
    for (let time = 0; time < 2; time += 1) {
      const answer = await ack(first.toUpperCase(), second, second, unknown, 'nothing')
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        acknowledged: [first, second],
        notFound: [unknown, 'nothing'],
      })
    }
    expect((await poll('&timeout=1')).body.count).toBe(0)
    expect((await ack()).body).toEqual({ acknowledged: [], notFound: [] })
  })

  test.each([
    [{ event_ids: [] }],
    [{ endpoint_id: 'orders', event_ids: [] }],
    [{ endpoint_id: SOME_ID }],
    [{ endpoint_id: SOME_ID, event_ids: 'one' }],
    [{ endpoint_id: SOME_ID, event_ids: [1] }],
    [{ endpoint_id: SOME_ID, event_ids: [], more: true }],
  ])('%j is a bad request', async (body) => {
    expect((await tenant.call('POST', '/poll/ack', body)).body.code).toBe('BAD_REQUEST')
  })
})

describe('an endpoint in poll mode', () => {
  test.each([
    ['https://shop.example/'],
    ['poll://'],
    ['poll://a b'],
    ['POLL://a'],
    ['storage://a'],
  ])('has a label for a url, and not %s', async (url) => {
    const body = { url, eventTypes: ['*'], deliveryMode: 'poll' }
    expect(await tenant.call('POST', '/endpoints', body)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: [{ path: 'url' }] },
    })
  })

  test('changes its mode only together with a url that fits', async () => {
    const patch = (body: object) => tenant.call('PATCH', `/endpoints/${endpointId}`, body)
    const push = { deliveryMode: 'push', url: 'https://shop.example/' }
    expect((await patch({ deliveryMode: 'push' })).status).toBe(400)
    expect((await patch({ url: 'https://shop.example/' })).status).toBe(400)
    expect((await patch({ url: 'poll://others' })).body.url).toBe('poll://others')
    expect((await patch(push)).body).toMatchObject(push)
    expect((await patch({ url: 'poll://orders' })).status).toBe(400)
    expect((await patch({ deliveryMode: 'poll' })).status).toBe(400)
    const back = { deliveryMode: 'poll', url: 'poll://orders' }
    expect((await patch(back)).body).toMatchObject(back)
  })

  test('sends what waits when it changes to push, by PATCH and by rollback', async () => {
    await tenant.call('PATCH', `/endpoints/${endpointId}`, { description: 'polled' })
    await send()
    const push = { deliveryMode: 'push', url: 'https://shop.example/' }
    await tenant.call('PATCH', `/endpoints/${endpointId}`, push)
    const { backlogs } = await sweepDue(portal.pool, 100)
    expect(backlogs.map(({ targetId }) => targetId)).toEqual([endpointId])
    const rolledBack = await tenant.call('POST', `/endpoints/${endpointId}/versions/2/rollback`)
    expect([rolledBack.status, rolledBack.body.deliveryMode]).toEqual([200, 'poll'])
    expect((await sweepDue(portal.pool, 100)).backlogs).toHaveLength(1)
  })

  test('that is deleted announces what waits, so that it is ended', async () => {
    await send()
    await tenant.call('DELETE', `/endpoints/${endpointId}`)
    const { backlogs } = await sweepDue(portal.pool, 100)
    expect(backlogs.map(({ targetId }) => targetId)).toEqual([endpointId])
  })
})
