import { describe, expect, test } from '@jest/globals'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import { actAs, type Json, portal, tenant } from '../portal.fixture.ts'
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

usePollEndpoint()

describe('a transformation', () => {
  const withScript = async (body: string, more: object = {}): Promise<void> => {
    const transformation = `function transform(event) { ${body} }`
    pollEndpoint(
      await createEndpoint({
        transformation,
        customHeaders: { 'X-Shop': 'one' },
        ...more,
      }),
    )
  }
  const explained = async (id: string): Promise<Json> =>
    (await tenant.call('GET', `/events/${id}/explain`)).body.deliveries[0]
  /** Ends the visibility timeout of the fetched events. */
  const expireVisibility = async (): Promise<void> => {
    await portal.pool.query('UPDATE due SET due_at = now() WHERE tenant_id = $1', [tenant.tenantId])
    await sweepDue(portal.pool, 100)
  }

  test('runs at each fetch, in the version in force then', async () => {
    await withScript(
      `return { payload: { was: event.payload.b, type: event.eventType },
        headers: { 'X-Made': event.headers['X-Own'] } }`,
    )
    const id = await send({ headers: '{"X-Own":"own"}' })
    const [first] = (await poll()).body.events
    expect(first).toMatchObject({ id, payload: { was: 1.1, type: 'order.paid' } })
    expect(first.headers).toEqual({ 'X-Shop': 'one', 'X-Made': 'own' })
    await expireVisibility()
    const transformation = 'function transform() { return { payload: { now: 2 } } }'
    await tenant.call('PATCH', `/endpoints/${endpointId}`, { transformation })
    expect((await poll()).body.events).toMatchObject([
      { id, payload: { now: 2 }, headers: { 'X-Own': 'own' } },
    ])
  })

  test('that returns null drops the event: it is delivered, and the poll gets the next', async () => {
    await withScript('return event.payload.drop ? null : {}')
    const dropped = [await send({ payload: '{"drop":1}' }), await send({ payload: '{"drop":2}' })]
    const kept = await send()
    expect(idsOf(await poll('&limit=2'))).toEqual([kept])
    for (const id of dropped) {
      expect(await explained(id)).toMatchObject({
        state: 'delivered',
        attempts: 1,
        lastError: null,
      })
    }
    expect((await ack(...dropped)).body.acknowledged).toEqual(dropped)
  })

  test('that fails leaves the event waiting, counts as a fetch, and is explained', async () => {
    await withScript('if (event.payload.bad) throw new Error("no such order"); return {}', {
      maxRetries: 2,
    })
    const bad = await send({ payload: '{"bad":1}' })
    const good = await send()
    expect(idsOf(await poll())).toEqual([good])
    const lastError = expect.stringMatching(/^transformation: .*no such order/)
    expect(await explained(bad)).toMatchObject({ state: 'delivering', attempts: 1, lastError })
    expect((await poll('&timeout=1')).body.count).toBe(0)
    await expireVisibility()
    expect(await explained(bad)).toMatchObject({ state: 'queued', attempts: 1, lastError })
    expect(idsOf(await poll('&timeout=1'))).toEqual([good])
    await expireVisibility()
    expect(await explained(bad)).toMatchObject({
      state: 'dead',
      attempts: 2,
      lastError,
      deadReason: 'not acknowledged',
    })
  })

  test('that is repaired lets it through, and its error is cleared', async () => {
    await withScript('throw new Error("broken")')
    const id = await send()
    expect((await poll('&timeout=1')).body.count).toBe(0)
    await expireVisibility()
    const transformation = 'function transform() { return {} }'
    await tenant.call('PATCH', `/endpoints/${endpointId}`, { transformation })
    expect(idsOf(await poll())).toEqual([id])
    expect((await explained(id)).lastError).toBeNull()
  })

  test('that never ends stops neither the event loop nor another tenant', async () => {
    await withScript('for (;;);')
    for (let n = 0; n < 5; n += 1) await send()
    const slow = poll('&timeout=1')
    const mine = { tenant, endpointId }
    actAs(await portal.addTenant())
    pollEndpoint(await createEndpoint({ transformation: 'function transform() { return {} }' }))
    const before = process.threadCpuUsage()
    for (let n = 0; n < 5; n += 1) {
      const id = await send()
      expect(idsOf(await poll())).toEqual([id])
    }
    // Five scripts of 100 ms on this thread would have taken 500.
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(400)
    actAs(mine.tenant)
    pollEndpoint(mine.endpointId)
    expect((await slow).body.count).toBe(0)
  })
})
