import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Received } from '@posthorn/bus/bus'
import type { DeliveryDue, DueDelivery } from '@posthorn/contracts/topics'
import type { Announced } from './ask-whose.ts'
import { type Consume, createConsume, MAX_QUEUED } from './consume.ts'

let room: number
let mayPark: boolean
let now: number
let admitted: string[]
let parked: string[]
let done: string[]
/** A statement that parks has not ended before. */
let parkedThen: Promise<void>
let consume: Consume
beforeEach(() => {
  room = 0
  mayPark = true
  now = 0
  admitted = []
  parked = []
  done = []
  parkedThen = Promise.resolve()
  const names = (batch: readonly Announced[]) => batch.map(({ message }) => message.deliveryId)
  consume = createConsume({
    async admit(batch) {
      admitted.push(...names(batch))
      room -= batch.length
    },
    async park(batch) {
      parked.push(...names(batch))
      await parkedThen
    },
    mayPark: () => mayPark,
    backlogAnnounced: () => {},
    room: () => room,
    now: () => now,
    log: { error: () => {} },
  })
})

function receive(tenantId: string, endpointId: string, count: number): void {
  const messages = Array.from({ length: count }, (_, n): Received<DeliveryDue> => {
    const deliveryId = `${endpointId} ${n}`
    const value = { kind: 'delivery', tenantId, endpointId, deliveryId } as DueDelivery
    return { value, done: () => void done.push(deliveryId) } as Received<DeliveryDue>
  })
  consume.received('normal', messages)
}

/** Lets it take what there is room for. */
async function goOn(more: number): Promise<void> {
  room += more
  consume.wake()
  for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('what comes for another target is taken next, however many wait', async () => {
  for (let n = 0; n < 50; n += 1) receive('a', `flooded-${n}`, 60)
  await goOn(100)
  receive('a', 'other', 1)
  receive('b', 'another', 1)
  await goOn(52)
  expect(admitted.slice(100)).toEqual(expect.arrayContaining(['other 0', 'another 0']))
  expect(done).toEqual(admitted)
})

describe('beyond what it keeps', () => {
  test('what will not have its turn within a second is parked, and then it is done', async () => {
    receive('a', 'flooded', 3 * MAX_QUEUED)
    await goOn(1_000)
    expect(parked).toEqual([])
    now = 1_000
    for (let n = 0; n < 50; n += 1) await goOn(0)
    expect(parked[0]).toBe(`flooded ${3 * MAX_QUEUED - 1}`)
    expect(consume.queued()).toBeLessThanOrEqual(MAX_QUEUED)
    expect(consume.queued()).toBeGreaterThanOrEqual(MAX_QUEUED / 2)
    expect(done.length).toBe(admitted.length + parked.length)
  })

  test('what has its turn goes on while others are being parked', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    parkedThen = promise
    receive('a', 'flooded', 2 * MAX_QUEUED)
    now = 1_000
    await goOn(0)
    expect([parked.length > 0, done.length]).toEqual([true, 0])
    receive('a', 'other', 1)
    await goOn(3)
    expect(admitted).toContain('other 0')
    resolve()
    await goOn(0)
    expect(done.length).toBe(admitted.length + parked.length)
  })

  test('nothing is parked that goes as fast as it comes', async () => {
    for (let second = 1; second < 5; second += 1) {
      receive('a', 'busy', 5_000 + (second === 1 ? 5_000 : 0))
      await goOn(5_000)
      now = second * 1_000
      await goOn(0)
    }
    expect(consume.queued()).toBeGreaterThan(MAX_QUEUED)
    expect(parked).toEqual([])
  })

  test('nothing is parked while Postgres parks slower than we take', async () => {
    mayPark = false
    receive('a', 'flooded', 2 * MAX_QUEUED)
    now = 2_000
    await goOn(0)
    expect(parked).toEqual([])
    mayPark = true
    await goOn(0)
    expect(parked.length).toBeGreaterThan(0)
  })

  test('after it was stopped nothing is taken or parked, and nothing is done', async () => {
    receive('a', 'flooded', 2 * MAX_QUEUED)
    consume.stop()
    now = 2_000
    await goOn(100)
    expect([admitted, parked, done]).toEqual([[], [], []])
  })
})
