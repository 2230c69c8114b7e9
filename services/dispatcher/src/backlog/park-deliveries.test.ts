import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { newDelivery } from '../delivery.ts'
import { createInFlightSet } from '../in-flight-set.ts'
import { createMutex } from '@posthorn/async/mutex'
import { createParkingWriter } from './park-deliveries.ts'

// It was not: the ticker sleeps while nothing is left to write, and what had been under way then
// was kept for ever, with its lease renewed each time it was announced.
test('what Postgres did not take wakes the ticker again, which writes it', async () => {
  let fails = true
  let woken = 0
  let now = 0
  const parked: string[] = []
  const inFlight = createInFlightSet()
  const parking = createParkingWriter({
    inFlight,
    circuits: { releaseProbe: () => {} },
    statements: {
      async parkDeliveries(rows) {
        if (fails) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
        parked.push(...rows.map(({ deliveryId }) => deliveryId))
        return []
      },
      cancelDeliveries: async () => [],
    },
    serveBacklogs: () => {},
    admitReleased: () => {},
    capacityFreed: () => {},
    ticker: { wake: () => void (woken += 1) },
    metrics: { count: () => {} },
    mutex: createMutex(),
    now: () => now,
    log: { warn: () => {} },
  })
  const delivery = newDelivery({ deliveryId: 'd', lane: null } as DueDelivery, 1, null, 0)
  inFlight.add(delivery)
  parking.park(delivery, 'target')
  expect(woken).toBe(1)
  parking.tick()
  expect(parking.size()).toBe(0)
  await parking.idle()
  expect([woken, parking.size(), inFlight.get('d')]).toEqual([2, 1, delivery])
  fails = false
  parking.tick()
  expect(parking.size()).toBe(1) // too soon
  now = 250
  parking.tick()
  await parking.idle()
  expect([parked, parking.size(), inFlight.get('d')]).toEqual([['d'], 0, undefined])
})
