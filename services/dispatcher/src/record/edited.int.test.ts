/**
 * An event that is edited while an attempt of it is under way: what counts is what was edited. The
 * attempt is superseded whatever it came to, its row says so, and the edited event is sent.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { findBroken } from '@posthorn/store/invariants.fixture'
import { type EventEdit, editEvent } from '@posthorn/store/pipeline/replay-events'
import { sweepDue } from '@posthorn/store/pipeline/sweep'
import type { Pool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import type { Dispatcher } from '../app.ts'
import { createGate, createRig, type NewDelivery, type Rig } from '../dispatcher.fixture.ts'

let rig: Rig
let receiver: Receiver
beforeEach(async () => {
  rig = await createRig()
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  expect(await findBroken(rig.pool)).toEqual([])
  await rig.close()
})

const OLD = '{"n":1}'
const EDITED = '{"n":2}'

/**
 * A pool whose statements of this name wait: an attempt stays young for as long as the test likes.
 */
function delayingStatements(pool: Pool, name: string, opened: Promise<void>): Pool {
  return new Proxy(pool, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key !== 'query' || typeof value !== 'function') return value
      return async (asked: { name?: string }, ...more: unknown[]) => {
        if (asked.name?.startsWith(name) === true) await opened
        return await (Reflect.apply(value, target, [asked, ...more]) as Promise<unknown>)
      }
    },
  })
}

const bodies = (): string[] => receiver.requests.map(({ rawBody }) => rawBody.toString())

async function edit(eventId: string, replay: boolean, by: EventEdit = { payload: EDITED }) {
  const edited = await editEvent(rig.pool, rig.tenantId, eventId, by, replay)
  if (edited.outcome !== 'edited') throw new Error('the event could not be edited')
  rig.announce(edited.replayed?.work ?? [])
}

/**
 * A delivery that failed once, and whose second attempt is at the endpoint, young, until it may
 * end.
 * @returns how to let it end
 */
async function secondUnderWay(
  to: NewDelivery,
  status: number,
): Promise<{ first: Dispatcher; message: DueDelivery; end(): void }> {
  const young = createGate()
  const ending = createGate()
  const first = await rig.start({
    pool: delayingStatements(rig.pool, 'begin-attempts', young.opened),
  })
  receiver.answer({ status: 500 })
  const message = await rig.deliver(to)
  await eventually(async () => expect((await rig.states())[message.deliveryId]).toBe('waiting'))
  receiver.answer(async ({ rawBody }) => {
    if (rawBody.toString() === EDITED) return { status: 200 }
    await ending.opened
    return { status }
  })
  await rig.hasten()
  await receiver.waitFor(2)
  expect((await rig.states())[message.deliveryId]).toBe('waiting')
  return {
    first,
    message,
    end() {
      young.open()
      ending.open()
    },
  }
}

async function endsEdited({ deliveryId, eventId }: DueDelivery, error: RegExp): Promise<void> {
  await eventually(async () => {
    await rig.hasten()
    expect((await rig.states())[deliveryId]).toBe('delivered')
  })
  expect(bodies().slice(0, 2)).toEqual([OLD, OLD])
  expect(new Set(bodies().slice(2))).toEqual(new Set([EDITED]))
  await eventually(async () => {
    const [first, superseded, last, ...more] = await rig.attempts(deliveryId)
    expect(more).toEqual([])
    expect([first?.error, last?.error]).toEqual(['http_5xx: status 500', ''])
    // Both were sent as the second.
    expect([superseded?.attempt_number, last?.attempt_number]).toEqual([2, 2])
    expect(superseded?.error).toMatch(error)
  })
  const { rows } = await rig.pool.query('SELECT * FROM events WHERE id = $1', [eventId])
  expect(rows[0]).toMatchObject({ open_count: 0, dead_count: 0, delivering_count: 0 })
}

const ENDS = [
  [200, /^superseded: the event was edited after this was sent$/],
  [500, /^superseded: .* \(http_5xx: status 500\)$/],
] as const

describe.each(ENDS)('in a young attempt that comes to %s', (status, error) => {
  test.each([false, true])('with a replay: %s', async (replay) => {
    const { message, end } = await secondUnderWay({ destination: receiver.url }, status)
    await edit(message.eventId, replay)
    end()
    await endsEdited(message, error)
  })

  test('that another dispatcher answers for', async () => {
    const { first, message, end } = await secondUnderWay({ destination: receiver.url }, status)
    // It reads what the first, which stops reading, does not, and sends while the first still does.
    await rig.start()
    void first.stop(10_000)
    await edit(message.eventId, true)
    await receiver.waitFor((requests) => requests.some(({ rawBody }) => String(rawBody) === EDITED))
    end()
    await endsEdited(message, error)
  })

  test('of a lane’s head', async () => {
    const endpointId = await rig.addEndpoint({ url: receiver.url, fifo: true })
    const { message, end } = await secondUnderWay({ endpointId, lane: '' }, status)
    await edit(message.eventId, false)
    end()
    await endsEdited(message, error)
  })
})

test('in an attempt that lasts, of an event whose other delivery may be replayed', async () => {
  const one = await rig.addEndpoint({ url: `${receiver.url}/one` })
  const other = await rig.addEndpoint({ url: `${receiver.url}/other`, maxRetries: 1 })
  const ending = createGate()
  receiver.answer(async ({ path, rawBody }) => {
    if (rawBody.toString() === EDITED) return { status: 200 }
    if (path === '/other') return { status: 500 }
    await ending.opened
    return { status: 200 }
  })
  await rig.start()
  const messages = await rig.acceptTyped([one, other])
  rig.announce(messages)
  const stateOf = async (endpointId: string) =>
    (await rig.states())[messages.find((message) => message.endpointId === endpointId)!.deliveryId]
  await eventually(async () =>
    expect([await stateOf(one), await stateOf(other)]).toEqual(['delivering', 'dead']),
  )
  await edit(messages[0]!.eventId, true)
  ending.open()
  await eventually(async () => {
    await rig.sweep()
    expect([await stateOf(one), await stateOf(other)]).toEqual(['delivered', 'delivered'])
  })
  const sent = receiver.requests.map(({ path, rawBody }) => `${path} ${rawBody.toString()}`)
  expect(sent.sort()).toEqual([
    `/one ${OLD}`,
    `/one ${EDITED}`,
    `/other ${OLD}`,
    `/other ${EDITED}`,
  ])
})

test('while its message is on its way: the old payload is sent, and then the edited one', async () => {
  receiver.answer({ status: 500 })
  await rig.start()
  const message = await rig.deliver({ destination: receiver.url })
  await eventually(async () => expect((await rig.states())[message.deliveryId]).toBe('waiting'))
  receiver.answer({ status: 200 })
  await rig.pool.query('UPDATE due SET due_at = now() WHERE NOT leased')
  const { deliveries } = await sweepDue(rig.pool, 10)
  await edit(message.eventId, false)
  rig.announce(deliveries)
  await endsEdited(message, ENDS[0][1])
})

test('of a payload that did not travel', async () => {
  const [large, edited] = ['a', 'b'].map((one) => JSON.stringify({ n: one.repeat(40_000) }))
  receiver.answer({ status: 500 })
  await rig.start()
  const message = await rig.deliver({ destination: receiver.url, payload: large as string })
  await eventually(async () => expect((await rig.states())[message.deliveryId]).toBe('waiting'))
  receiver.answer({ status: 200 })
  await edit(message.eventId, true, { payload: edited as string })
  await eventually(async () => expect((await rig.states())[message.deliveryId]).toBe('delivered'))
  expect(bodies()).toEqual([large, edited])
})

test('what was edited in its headers or destination alone is sent again too', async () => {
  const { message, end } = await secondUnderWay({ destination: `${receiver.url}/old` }, 200)
  await edit(message.eventId, false, {
    destination: `${receiver.url}/new`,
    headers: '{"X-Mine":"1"}',
  })
  end()
  await eventually(async () => {
    await rig.hasten()
    expect((await rig.states())[message.deliveryId]).toBe('delivered')
  })
  const last = receiver.requests.at(-1)
  expect([last?.path, last?.headers['x-mine']]).toEqual(['/new', '1'])
})

test('a replay alone supersedes nothing', async () => {
  const { message, end } = await secondUnderWay({ destination: receiver.url }, 200)
  await edit(message.eventId, true, {})
  end()
  await eventually(async () => expect((await rig.states())[message.deliveryId]).toBe('delivered'))
  expect((await rig.attempts(message.deliveryId)).map(({ error }) => error)).toEqual([
    'http_5xx: status 500',
    '',
  ])
})
