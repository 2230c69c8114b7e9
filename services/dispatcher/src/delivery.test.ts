import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { ResolvedTarget } from './config/resolve-target.ts'
import { newDelivery, toLeaving, toQueued, toSending, toUnrecorded } from './delivery.ts'
import type { Slot } from './schedule/windows.ts'

const MESSAGE = { deliveryId: 'd', edition: 3 } as DueDelivery
const TARGET = { targetId: 't' } as ResolvedTarget
const SLOT = {} as Slot

test('a delivery is one object through all its phases', () => {
  const admitted = newDelivery(MESSAGE, 1, null, 0)
  const queued = toQueued(admitted, TARGET, 5)
  expect([queued.phase, queued.target, queued.queuedAt]).toEqual(['queued', TARGET, 5])
  const moved = { targetId: 'u' } as ResolvedTarget
  const sending = toSending(queued, moved, SLOT)
  expect([sending.phase, sending.target, sending.edition]).toEqual(['sending', moved, 3])
  expect(sending.slot).toBe(SLOT)
  const unrecorded = toUnrecorded(sending)
  expect([unrecorded.phase, unrecorded.target]).toEqual(['unrecorded', moved])
  expect(unrecorded).toBe(admitted)
  expect(toLeaving(newDelivery(MESSAGE, 1, null, 0)).phase).toBe('leaving')
})

test('a step from a wrong phase does not compile', () => {
  const queued = toQueued(newDelivery(MESSAGE, 1, null, 0), TARGET, 0)
  const sending = toSending(queued, TARGET, SLOT)
  const unrecorded = toUnrecorded(sending)
  const leaving = toLeaving(newDelivery(MESSAGE, 1, null, 0))
  const wrong = [
    // @ts-expect-error what has not been queued has no slot
    () => toSending(newDelivery(MESSAGE, 1, null, 0), TARGET, SLOT),
    // @ts-expect-error what is not being sent has no result
    () => toUnrecorded(queued),
    // @ts-expect-error a result is not parked
    () => toLeaving(unrecorded),
    // @ts-expect-error what leaves is not queued again
    () => toQueued(leaving, TARGET, 0),
  ]
  expect(wrong).toHaveLength(4)
})
