/**
 * FIFO lanes through the whole dispatcher: order, hand-over, speed, and what happens to heads that
 * can't go.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { wakeTarget } from '@posthorn/store/pipeline/backlogs'
import { eventually } from '@posthorn/testing/eventually'
import { isLongForm } from '@posthorn/testing/long-form'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { createGate, createRig, type Rig } from './dispatcher.fixture.ts'

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

/** Deliveries numbered within their lanes, the lanes taking turns. @returns the heads */
async function acceptLanes(
  endpointId: string,
  lanes: number,
  length: number,
): Promise<DueDelivery[]> {
  const news = Array.from({ length: lanes * length }, (_, at) => {
    const [lane, n] = [at % lanes, Math.floor(at / lanes)]
    return { endpointId, lane: String(lane), payload: JSON.stringify({ lane, n }) }
  })
  const heads: DueDelivery[] = []
  for (let from = 0; from < news.length; from += 500) {
    heads.push(...(await rig.accept(news.slice(from, from + 500))))
  }
  return heads
}

/** The attempts that an endpoint of which nothing is known has in flight. */
const FIRST_WINDOW = 16
const LANE_LENGTH = isLongForm ? 40 : 15

function laneOf({ rawBody }: { rawBody: Buffer }): number {
  return (JSON.parse(rawBody.toString()) as { lane: number }).lane
}

/** What came, by lane. */
function received(): Map<number, number[]> {
  const lanes = new Map<number, number[]>()
  for (const { rawBody } of receiver.requests) {
    const { lane, n } = JSON.parse(rawBody.toString()) as { lane: number; n: number }
    lanes.set(lane, [...(lanes.get(lane) ?? []), n])
  }
  return lanes
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

async function empty(): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await rig.pool.query(
        'SELECT (SELECT count(*) FROM lanes) + (SELECT count(*) FROM due) AS n',
      )
      expect(Number(rows[0]?.n)).toBe(0)
    },
    { timeoutMs: 20_000 },
  )
}

test('100 lanes to an endpoint that takes 5 ms: each in order, and side by side', async () => {
  // Nothing is answered before as many lanes are on their way as an endpoint has at once at first.
  const gate = createGate()
  receiver.answer(async () => {
    if (receiver.requests.length >= FIRST_WINDOW) gate.open()
    await gate.opened
    return { delayMs: 5 }
  })
  const endpointId = await rig.addEndpoint({ url: receiver.url, fifo: true })
  const heads = await acceptLanes(endpointId, 100, LANE_LENGTH)
  expect(heads).toHaveLength(100)
  await rig.start()
  const began = performance.now()
  rig.announce(heads)
  await receiver.waitFor(100 * LANE_LENGTH, { timeoutMs: 90_000 })
  const perSecond = Math.round((100_000 * LANE_LENGTH) / (performance.now() - began))
  process.stdout.write(`100 lanes, 5 ms: ${perSecond} deliveries/s\n`)
  await empty()
  const firstLanes = receiver.requests.slice(0, FIRST_WINDOW).map(laneOf)
  expect(new Set(firstLanes).size).toBe(FIRST_WINDOW)
  expect(received()).toEqual(new Map(upTo(100).map((lane) => [lane, upTo(LANE_LENGTH)])))
}, 120_000)

test('the next of a lane starts within 50 ms of the end of the one before', async () => {
  // What a delivery without a lane takes, from its acceptance on, tells this machine's pace.
  const plain = await startReceiver()
  const plainId = await rig.addEndpoint({ url: plain.url })
  const paces: number[] = []
  const endpointId = await rig.addEndpoint({ url: receiver.url, fifo: true })
  const ends: number[] = []
  receiver.answer(() => {
    ends.push(performance.now())
    return {}
  })
  await rig.start()
  for (let n = 0; n < 21; n += 1) {
    const began = performance.now()
    await rig.deliver({ endpointId: plainId })
    await plain.waitFor(n + 1)
    paces.push(performance.now() - began)
  }
  await plain.close()
  rig.announce(await acceptLanes(endpointId, 1, 41))
  await receiver.waitFor(41)
  const gaps = ends.slice(1).map((at, index) => at - (ends[index] ?? 0))
  gaps.sort((a, b) => a - b)
  const [median = 0, worst = 0] = [gaps[20], gaps[39]]
  process.stdout.write(`hand-over: ${median.toFixed(1)} ms, at worst ${worst.toFixed(1)} ms\n`)
  const pace = paces.sort((a, b) => a - b)[10] ?? 0
  expect(median).toBeLessThan(Math.max(50, 3 * pace))
  await empty()
})

test('a head that fails keeps its lane waiting and no other; when it is dead the next goes', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url, fifo: true, maxRetries: 2 })
  receiver.answer(({ rawBody }) => ({
    status: rawBody.toString() === '{"lane":0,"n":0}' ? 500 : 200,
  }))
  await rig.start()
  rig.announce(await acceptLanes(endpointId, 2, 3))
  await eventually(() => expect(received().get(1)).toEqual([0, 1, 2]))
  await eventually(async () => expect(await rig.count('attempts')).toBe(4))
  expect(received().get(0)).toEqual([0])
  await rig.hasten()
  await empty()
  expect(received().get(0)).toEqual([0, 0, 1, 2])
  expect(Object.values(await rig.states()).filter((state) => state === 'dead')).toHaveLength(1)
})

test('heads of a paused endpoint are parked, and go on in order when it is resumed', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url, fifo: true })
  await rig.setStatus(endpointId, 'paused')
  await rig.start()
  rig.announce(await acceptLanes(endpointId, 3, 4))
  await eventually(async () => expect(await rig.count('parked')).toBe(3))
  expect(receiver.requests).toHaveLength(0)
  await rig.setStatus(endpointId, 'active')
  await wakeTarget(rig.pool, rig.tenantId, endpointId, false)
  await eventually(async () => {
    await rig.sweep()
    expect(receiver.requests).toHaveLength(12)
  })
  expect(received()).toEqual(new Map(upTo(3).map((lane) => [lane, upTo(4)])))
})

test('a head whose dispatcher is gone goes when its lease has ended', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url, fifo: true })
  await acceptLanes(endpointId, 1, 3) // announced to somebody who is no more
  await rig.start()
  await rig.pool.query(`UPDATE due SET due_at = now() - interval '1 second'`)
  await rig.sweep()
  await empty()
  expect(received().get(0)).toEqual([0, 1, 2])
})

test('announced to two dispatchers whose state store fails open, a head goes out once', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url, fifo: true })
  const claims: number[] = []
  const state = {
    ...rig.state,
    claim: async (asked: readonly unknown[]) => {
      claims.push(asked.length)
      return asked.map(() => true)
    },
  }
  receiver.answer({ delayMs: 50 })
  await Promise.all([rig.start({ state }), rig.start({ state })])
  const heads = await acceptLanes(endpointId, 20, 2)
  for (let copy = 0; copy < 6; copy += 1) rig.announce(heads)
  await empty()
  expect(received()).toEqual(new Map(upTo(20).map((lane) => [lane, [0, 1]])))
  expect(claims).toEqual([])
})

test('a deleted endpoint’s lanes are emptied, with nothing sent', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url, fifo: true })
  const heads = await acceptLanes(endpointId, 2, 700)
  await rig.pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [endpointId])
  await rig.setStatus(endpointId, 'active') // tells of the change
  await rig.start()
  rig.announce(heads)
  await empty()
  expect(receiver.requests).toHaveLength(0)
  expect(new Set(Object.values(await rig.states()))).toEqual(new Set(['dead']))
  const { rows } = await rig.pool.query('SELECT DISTINCT dead_reason FROM events')
  expect(rows).toEqual([{ dead_reason: 'endpoint deleted' }])
})

test('a dispatcher that leaves gives back what its last results have released', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url, fifo: true })
  receiver.answer({ delayMs: 300 })
  const first = await rig.start()
  rig.announce(await acceptLanes(endpointId, 4, 2))
  await receiver.waitFor(4)
  await first.stop(2_000)
  receiver.answer({})
  await rig.start()
  await rig.sweep()
  await empty()
  expect(received()).toEqual(new Map(upTo(4).map((lane) => [lane, [0, 1]])))
})
