import { expect, test } from '@jest/globals'
import type { DeliveryDue, DueTopicName } from '@posthorn/contracts/topics'
import { LEASE_MS } from '@posthorn/store/pipeline/sql/lease'
import { createCongestionWatch } from './watch-congestion.ts'

const BULK = 'delivery.due.normal.bulk'
const SPARSE = 'delivery.due.normal'

function createStage(batchingDelayMs = 0) {
  const lateMs: (number | undefined)[] = []
  const told: string[][] = []
  let nowMs = 0
  const watch = createCongestionWatch({
    announce: (messages) => {
      told.push(messages.map(({ tenantId }) => tenantId))
      lateMs.push(...messages.map((message) => message.lateMs))
    },
    batchingDelayMs,
    now: () => nowMs,
    databaseNow: () => nowMs,
  })
  return {
    told,
    lateMs,
    pass: (ms: number) => void (nowMs += ms),
    /** @param eventType null: direct */
    receive(topic: DueTopicName, tenantId: string, eventType: string | null, late = 0): void {
      const endpointId = eventType === null ? null : 'e'
      const token = (nowMs - late + LEASE_MS) * 1_000
      const delivery = { v: 1, kind: 'delivery', tenantId, endpointId, eventType, token }
      const value = delivery as DeliveryDue
      watch.received(topic, [{ value, done: () => undefined }])
    },
    watch,
  }
}

test('says whose flood others go beside: another tenant, or another flow of its own', () => {
  const stage = createStage()
  stage.receive(BULK, 'a', 'order.paid')
  expect(stage.told).toEqual([])
  stage.receive(SPARSE, 'b', 'order.paid')
  expect(stage.told).toEqual([['a']])
  stage.pass(500)
  stage.receive(BULK, 'a', 'order.paid')
  expect(stage.told).toEqual([['a']])
  stage.receive(SPARSE, 'a', null)
  expect(stage.told).toEqual([['a'], ['a']])
})

test('says nothing of a flood that is alone, though a part of it comes by the other topic', () => {
  const stage = createStage()
  for (let n = 0; n < 20; n += 1) {
    stage.receive(BULK, 'a', 'order.paid')
    stage.receive(SPARSE, 'a', 'order.paid')
    stage.pass(100)
  }
  expect(stage.told).toEqual([])
})

test('says nothing while there is no flood, nor of one that ended a second ago', () => {
  const stage = createStage()
  for (let n = 0; n < 20; n += 1) {
    stage.receive(SPARSE, 'b', null)
    stage.pass(100)
  }
  stage.receive(BULK, 'a', 'order.paid')
  stage.pass(1_000)
  stage.receive(SPARSE, 'b', null)
  expect(stage.told).toEqual([])
})

test('says it again every 250 ms while it lasts, and no longer', () => {
  const stage = createStage()
  for (let n = 0; n < 100; n += 1) {
    stage.receive(BULK, 'a', 'order.paid')
    if (n < 50) stage.receive(SPARSE, 'b', null)
    stage.pass(10)
  }
  // At 0, 250 and 500 ms: the last of the others came at 490.
  expect(stage.told).toEqual([['a'], ['a'], ['a']])
})

test('a backlog that may go is nobody else', () => {
  const stage = createStage()
  const value = { v: 1, kind: 'backlog', tenantId: 'b', targetId: 'g', endpointId: null }
  for (let n = 0; n < 10; n += 1) {
    stage.receive(BULK, 'a', 'order.paid')
    stage.watch.received('delivery.due.high', [
      { value: { ...value, token: 1 } as DeliveryDue, done: () => undefined },
    ])
    stage.pass(100)
  }
  expect(stage.told).toEqual([])
})

test('says how late the others came in the median, each time anew', () => {
  const stage = createStage()
  stage.receive(BULK, 'a', 'order.paid', 700)
  for (const late of [30, 10, 900]) stage.receive(SPARSE, 'b', null, late)
  stage.pass(250)
  stage.receive(SPARSE, 'b', null, 20)
  stage.pass(250)
  stage.receive(SPARSE, 'b', null, 5)
  // The first is told at once; the other two count with the one after them.
  expect(stage.lateMs).toEqual([30, 20, 5])
})

test('what the bus takes to make batches is not late', () => {
  const stage = createStage(20)
  stage.receive(BULK, 'a', 'order.paid')
  stage.receive(SPARSE, 'b', null, 12)
  stage.pass(250)
  stage.receive(SPARSE, 'b', null, 65)
  expect(stage.lateMs).toEqual([0, 45])
})
