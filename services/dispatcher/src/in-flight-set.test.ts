import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { newLeasedDelivery } from './delivery.ts'
import { createInFlightSet } from './in-flight-set.ts'

function work(deliveryId: string, payload: string | null, lane: string | null = null) {
  return newLeasedDelivery({ deliveryId, payload, lane } as DueDelivery, 1, null, 0)
}

test('counts what works take, their payloads with them', () => {
  const works = createInFlightSet()
  works.set('a', work('a', null))
  const small = works.bytes()
  works.set('b', work('b', 'x'.repeat(10_000)))
  expect(small).toBeGreaterThan(0)
  expect(works.bytes()).toBe(2 * small + 10_000)
})

test('takes off what it counted, though a newer message has come, and nothing twice', () => {
  const works = createInFlightSet()
  const first = work('a', 'x'.repeat(500))
  works.set('a', first)
  first.message = { ...first.message, payload: 'x'.repeat(9_000) }
  expect([works.delete('a'), works.delete('a'), works.bytes()]).toEqual([true, false, 0])

  works.set('b', work('b', 'x'))
  const one = works.bytes()
  works.set('b', work('b', 'x'))
  expect(works.bytes()).toBe(one)
})

test('counts the heads of lanes among them', () => {
  const works = createInFlightSet()
  works.set('a', work('a', null))
  works.set('b', work('b', null, 'k'))
  works.set('b', work('b', null, 'k'))
  expect(works.heads()).toBe(1)
  works.delete('b')
  expect(works.heads()).toBe(0)
})
