import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { newDelivery } from './delivery.ts'
import { createInFlightSet } from './in-flight-set.ts'

function delivery(deliveryId: string, payload: string | null, lane: string | null = null) {
  return newDelivery({ deliveryId, payload, lane } as DueDelivery, 1, null, 0)
}

test('counts what deliveries take, their payloads with them', () => {
  const inFlight = createInFlightSet()
  inFlight.add(delivery('a', null))
  const small = inFlight.bytes()
  inFlight.add(delivery('b', 'x'.repeat(10_000)))
  expect(small).toBeGreaterThan(0)
  expect(inFlight.bytes()).toBe(2 * small + 10_000)
})

test('takes off what it counted, though a newer message has come, and nothing twice', () => {
  const inFlight = createInFlightSet()
  const first = delivery('a', 'x'.repeat(500))
  inFlight.add(first)
  first.message = { ...first.message, payload: 'x'.repeat(9_000) }
  inFlight.forget(first)
  inFlight.forget(first)
  expect([inFlight.get('a'), inFlight.bytes()]).toEqual([undefined, 0])

  inFlight.add(delivery('b', 'x'))
  const one = inFlight.bytes()
  inFlight.add(delivery('b', 'x'))
  expect(inFlight.bytes()).toBe(one)
})

test('of two objects with one id forgets the one that is here, and not the other', () => {
  const inFlight = createInFlightSet()
  const [before, here] = [delivery('a', 'x'), delivery('a', 'x')]
  inFlight.add(before)
  inFlight.add(here)
  inFlight.forget(before)
  expect(inFlight.get('a')).toBe(here)
  inFlight.forget(here)
  expect([inFlight.get('a'), inFlight.bytes()]).toEqual([undefined, 0])
})

test('counts the heads of lanes among them', () => {
  const inFlight = createInFlightSet()
  const head = delivery('b', null, 'k')
  inFlight.add(delivery('a', null))
  inFlight.add(delivery('b', null, 'k'))
  inFlight.add(head)
  expect(inFlight.heads()).toBe(1)
  inFlight.forget(head)
  expect(inFlight.heads()).toBe(0)
})
