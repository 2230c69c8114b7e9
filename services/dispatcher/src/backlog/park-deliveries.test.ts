import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { createParking } from './park-deliveries.ts'
import { createMutex } from '../mutex.ts'
import { newLeasedDelivery } from '../delivery.ts'

// It was not: whoever ticks sleeps while nothing is left to write, and what had been under way then was kept for ever,
// with its lease renewed each time it was announced.
test('what Postgres did not take is told of again, so that whoever sleeps writes it', async () => {
  let fails = true
  let told = 0
  let now = 0
  const parked: string[] = []
  const works = new Map()
  const parking = createParking({
    inFlight: works,
    async parkDeliveries(rows) {
      if (fails) throw new Error('gone')
      parked.push(...rows.map(({ deliveryId }) => deliveryId))
      return []
    },
    cancelDeliveries: async () => [],
    isUnavailable: () => true,
    onBacklogsMade: () => {},
    onReleased: () => {},
    onLeaving: () => void (told += 1),
    onCapacity: () => {},
    count: () => {},
    turns: createMutex(),
    now: () => now,
    log: { warn: () => {}, error: () => {} },
  })
  const work = newLeasedDelivery({ deliveryId: 'd' } as DueDelivery, 1, null, 0)
  works.set('d', work)
  parking.park(work, 'target')
  expect(told).toBe(1)
  parking.tick()
  expect(parking.size()).toBe(0)
  await parking.idle()
  expect([told, parking.size(), works.size]).toEqual([2, 1, 1])
  fails = false
  parking.tick()
  expect(parking.size()).toBe(1) // too soon
  now = 250
  parking.tick()
  await parking.idle()
  expect([parked, parking.size(), works.size]).toEqual([['d'], 0, 0])
})
