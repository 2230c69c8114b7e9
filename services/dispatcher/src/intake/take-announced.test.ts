import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, test } from '@jest/globals'
import type { Received } from '@posthorn/bus/bus'
import type { DeliveryDue, DueDelivery } from '@posthorn/contracts/topics'
import { createIntake, type Intake } from './take-announced.ts'

let capacity: number
let spareCapacity: number
let admitted: string[]
let done: string[]
let intake: Intake
beforeEach(() => {
  capacity = 0
  spareCapacity = 0
  admitted = []
  done = []
  intake = createIntake({
    admit: {
      announced: async (batch) =>
        void admitted.push(...batch.map(({ message }) => message.deliveryId)),
    },
    backlogs: { announced: () => undefined },
    scheduler: { capacity: () => capacity, spareCapacity: () => spareCapacity },
    now: () => 0,
    log: { error: () => undefined },
  })
})

function message(deliveryId: string): Received<DeliveryDue> {
  const value = { kind: 'delivery', deliveryId } as DueDelivery
  return { value, done: () => void done.push(deliveryId) }
}

test('while a flood has filled everything, what belongs to none is taken, and the flood waits', async () => {
  intake.received('delivery.due.normal.bulk', [message('bulk 1'), message('bulk 2')])
  intake.received('delivery.due.normal', [message('sparse')])
  await setImmediate()
  expect(admitted).toEqual([])
  spareCapacity = 256
  intake.wake()
  await setImmediate()
  await intake.idle()
  expect([admitted, done]).toEqual([['sparse'], ['sparse']])
  expect(intake.queued()).toBe(2)
  capacity = 2
  intake.wake()
  await setImmediate()
  await intake.idle()
  expect(admitted).toEqual(['sparse', 'bulk 1', 'bulk 2'])
})
