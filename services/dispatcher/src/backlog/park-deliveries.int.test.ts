/** What can't go now: windows, parking, backlogs, and who serves them. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { parkDeliveries, takeParked, wakeTarget } from '@posthorn/store/pipeline/backlogs'
import { recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { createGate, createRig, type NewDelivery, type Rig } from '../dispatcher.fixture.ts'

let rig: Rig
let receiver: Receiver
beforeEach(async () => {
  rig = await createRig()
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await rig.close()
})

function many(count: number, one: NewDelivery): NewDelivery[] {
  return Array.from({ length: count }, () => one)
}

/** How many deliveries of a target are in each state. */
async function tally(targetId: string): Promise<Record<string, number>> {
  const states = await rig.states()
  const { rows } = await rig.pool.query<{ id: string }>(
    'SELECT id FROM deliveries WHERE target_id = $1',
    [targetId],
  )
  const counts: Record<string, number> = {}
  for (const { id } of rows) counts[states[id] as string] = (counts[states[id] as string] ?? 0) + 1
  return counts
}

function parking(message: DueDelivery) {
  const { tenantId, deliveryId, eventId, token, endpointId, priority, seq } = message
  return {
    tenantId,
    deliveryId,
    eventId,
    token,
    targetId: endpointId as string,
    endpointId,
    priority,
    seq,
  }
}

test('an endpoint that hangs gets few slots, and another one stays fast', async () => {
  const quick = await startReceiver()
  const gate = createGate()
  receiver.answer(async () => {
    await gate.opened
    return {}
  })
  const hanging = await rig.addEndpoint({ url: receiver.url })
  const fast = await rig.addEndpoint({ url: quick.url })
  await rig.start()
  rig.announce(await rig.accept(many(300, { endpointId: hanging })))
  rig.announce(await rig.accept(many(300, { endpointId: fast })))
  await eventually(async () => expect(await tally(fast)).toEqual({ delivered: 300 }))
  await quick.close()
  await eventually(async () => expect(await rig.count('parked')).toBe(284))
  expect(receiver.requests).toHaveLength(16)

  gate.open()
  await eventually(async () => expect(await tally(hanging)).toEqual({ delivered: 300 }))
  await eventually(async () => expect(await rig.count('backlogs')).toBe(0))
  expect(receiver.requests).toHaveLength(300)
})

test('what is fetched before the reply to its parking has come is sent at once', async () => {
  const [endpoint, reply] = [createGate(), createGate()]
  receiver.answer(async () => {
    await endpoint.opened
    return {}
  })
  const endpointId = await rig.addEndpoint({ url: receiver.url })
  const query = async (statement: { name?: string }): Promise<unknown> => {
    const result = await rig.pool.query(statement as never)
    // They may be parked in several statements. The reply to the last one is held.
    if (statement.name === 'park-deliveries' && (await rig.count('parked')) === 184)
      await reply.opened
    return result
  }
  const pool = new Proxy(rig.pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)),
  })
  await rig.start({ pool })
  rig.announce(await rig.accept(many(100, { endpointId })))
  await eventually(async () => expect(await rig.count('parked')).toBe(84))
  rig.announce(await rig.accept(many(100, { endpointId })))
  await eventually(async () => expect(await rig.count('parked')).toBe(184))
  endpoint.open()
  await eventually(() => expect(receiver.requests).toHaveLength(200))
  reply.open()
  await eventually(async () => expect(await tally(endpointId)).toEqual({ delivered: 200 }))
  expect(receiver.requests).toHaveLength(200)
})

test('a paused endpoint’s deliveries go by priority, then acceptance, once it is resumed', async () => {
  await rig.start()
  const endpointId = await rig.addEndpoint({ url: receiver.url })
  await rig.setStatus(endpointId, 'paused')
  const priorities = Array.from({ length: 60 }, (_, n) => 1 + ((n * 7) % 10))
  const messages = await rig.accept(priorities.map((priority) => ({ endpointId, priority })))
  rig.announce(messages)
  await eventually(async () => expect(await rig.count('parked')).toBe(60))
  await eventually(() => expect(rig.lines.map(({ name }) => name)).toContain('backlog.paused'))
  const { rows } = await rig.pool.query('SELECT leased, due_at > now() AS later FROM due')
  expect(rows).toEqual([{ leased: false, later: true }])
  expect(receiver.requests).toHaveLength(0)

  await rig.setStatus(endpointId, 'active')
  await wakeTarget(rig.pool, rig.tenantId, endpointId, false)
  await rig.sweep()
  await eventually(async () => expect(await tally(endpointId)).toEqual({ delivered: 60 }))
  const inOrder = [...messages].sort((a, b) => a.priority - b.priority || a.seq - b.seq)
  const began = await rig.pool.query<{ delivery_id: string }>(
    'SELECT delivery_id FROM attempts ORDER BY id',
  )
  expect(began.rows.map((row) => row.delivery_id)).toEqual(
    inOrder.map((message) => message.deliveryId),
  )
  await eventually(async () =>
    expect([await rig.count('backlogs'), await rig.count('due')]).toEqual([0, 0]),
  )
})

test('a backlog whose holder died is taken over when its lease ends', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url })
  const messages = await rig.accept(many(40, { endpointId }))
  const [dead] = await parkDeliveries(rig.pool, messages.map(parking))
  await rig.start()
  await rig.sweep()
  expect(receiver.requests).toHaveLength(0)
  await rig.pool.query('UPDATE due SET due_at = now()')
  await rig.sweep()
  await eventually(async () => expect(await tally(endpointId)).toEqual({ delivered: 40 }))
  await eventually(async () => expect(await rig.count('backlogs')).toBe(0))
  expect((await takeParked(rig.pool, dead!, 10)).owned).toBe(false)
  expect(receiver.requests).toHaveLength(40)
})

test('a large backlog of a quick endpoint drains by the hundreds', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url })
  const messages = await rig.accept(many(2_000, { endpointId }))
  await parkDeliveries(rig.pool, messages.map(parking))
  await rig.pool.query('UPDATE due SET due_at = now()')
  await rig.start()
  const elapsedMs = startLoopTime()
  await rig.sweep()
  await eventually(async () => expect(await rig.count('backlogs')).toBe(0))
  expect(elapsedMs()).toBeLessThan(10_000)
  await eventually(async () => expect(await tally(endpointId)).toEqual({ delivered: 2_000 }))
  expect(
    new Set(receiver.requests.map(({ headers }) => headers['x-service-delivery-id'])).size,
  ).toBe(2_000)
  expect(receiver.requests).toHaveLength(2_000)
})

test('a deleted endpoint’s deliveries end without an attempt, parked or announced', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url })
  const messages = await rig.accept(many(700, { endpointId }))
  await parkDeliveries(rig.pool, messages.slice(0, 690).map(parking))
  await rig.pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [endpointId])
  await rig.start()
  await wakeTarget(rig.pool, rig.tenantId, endpointId, false)
  await rig.sweep()
  rig.announce(messages.slice(690))
  await eventually(async () => expect(await tally(endpointId)).toEqual({ dead: 700 }))
  await eventually(async () =>
    expect([await rig.count('backlogs'), await rig.count('due')]).toEqual([0, 0]),
  )
  const { rows } = await rig.pool.query('SELECT DISTINCT dead_reason FROM events')
  expect(rows).toEqual([{ dead_reason: 'endpoint deleted' }])
  expect(receiver.requests).toHaveLength(0)
})

test('an endpoint newer than what is known of its tenant is read before anything is cancelled', async () => {
  await rig.start()
  const known = await rig.addEndpoint({ url: receiver.url })
  await rig.deliver({ endpointId: known })
  await receiver.waitFor(1)
  const endpointId = await rig.addEndpoint({ url: receiver.url })
  await rig.deliver({ endpointId })
  await eventually(async () => expect(await tally(endpointId)).toEqual({ delivered: 1 }))
})

describe('who has a delivery', () => {
  test('a result that is not the first is not recorded', async () => {
    const gate = createGate()
    receiver.answer(async () => {
      await gate.opened
      return { status: 500 }
    })
    await rig.start()
    const message = await rig.deliver({ destination: receiver.url })
    await receiver.waitFor(1)
    const { tenantId, projectId, eventId, deliveryId } = message
    const other = {
      tenantId,
      projectId,
      eventId,
      deliveryId,
      id: deliveryId,
      endpointId: null,
      endpointVersion: null,
      eventType: null,
      url: receiver.url,
      attemptNumber: 1,
      statusCode: 200,
      error: '',
      durationMs: 1,
      overheadUs: 1,
      responseBody: '',
      responseHeaders: null,
      requestBody: null,
      next: { state: 'delivered' as const },
    }
    await recordAttempts(rig.pool, [other])
    gate.open()
    await eventually(() => {
      const finished = rig.lines.filter(({ name }) => name === 'attempt.finished')
      expect(finished.map(({ fields }) => [fields['statusCode'], fields['recorded']])).toEqual([
        [500, false],
      ])
    })
    expect((await rig.states())[deliveryId]).toBe('delivered')
    expect((await rig.attempts(deliveryId)).map((one) => one.status_code)).toEqual([200])
  })

  test('an attempt that lasts keeps its lease, and one that was taken over is told so', async () => {
    // A lease is renewed 3.3 to 4.3 s after the attempt began.
    receiver.answer({ delayMs: 6_500 })
    await rig.start()
    const [kept, lost] = await rig.accept(many(2, { destination: receiver.url }))
    rig.announce([kept!, lost!])
    await receiver.waitFor(2)
    await rig.pool.query(`UPDATE due SET due_at = due_at + interval '1 minute' WHERE id = $1`, [
      lost!.deliveryId,
    ])
    await eventually(
      async () => {
        const { rows } = await rig.pool.query<{ later: number }>(
          'SELECT micros(due_at) - $2 AS later FROM due WHERE id = $1',
          [kept!.deliveryId, kept!.token],
        )
        expect(rows[0]?.later).toBeGreaterThan(2_500_000)
      },
      { timeoutMs: 6_000 },
    )
    await eventually(async () => expect((await rig.states())[kept!.deliveryId]).toBe('delivered'))
    const told = rig.lines.filter(({ name }) => name === 'delivery.lease-lost')
    expect(told.map(({ fields }) => fields['deliveryId'])).toEqual([lost!.deliveryId])
  })
})

describe('leaving', () => {
  test('gives back what waits and finishes what is in flight', async () => {
    receiver.answer({ delayMs: 600 })
    const dispatcher = await rig.start()
    const messages = await rig.accept(many(50, { destination: receiver.url }))
    rig.announce(messages)
    await receiver.waitFor(16)
    await dispatcher.stop(5_000)
    expect(dispatcher.inFlight()).toBe(0)
    expect(Object.values(await rig.states()).filter((state) => state === 'delivered')).toHaveLength(
      16,
    )
    const { rows } = await rig.pool.query('SELECT leased, due_at <= now() AS due FROM due')
    expect(rows).toEqual(many(34, {}).map(() => ({ leased: false, due: true })))

    receiver.answer({})
    await rig.start()
    await rig.sweep()
    await eventually(async () =>
      expect(new Set(Object.values(await rig.states()))).toEqual(new Set(['delivered'])),
    )
    expect(receiver.requests).toHaveLength(50)
  })

  test('does not wait longer than it may, and gives back its backlogs', async () => {
    receiver.answer({ delayMs: 60_000 })
    const dispatcher = await rig.start()
    rig.announce(await rig.accept(many(50, { destination: receiver.url })))
    await eventually(async () => expect(await rig.count('parked')).toBe(34))
    const elapsedMs = startLoopTime()
    await dispatcher.stop(300)
    expect(elapsedMs()).toBeLessThan(1_500)
    const { rows } = await rig.pool.query(
      'SELECT kind, due_at <= now() AS due FROM due WHERE kind = 2',
    )
    expect(rows).toEqual([{ kind: 2, due: true }])
  })
})
