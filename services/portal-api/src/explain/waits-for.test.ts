import { expect, test } from '@jest/globals'
import { type DeliveryFacts, waitsFor } from './waits-for.ts'

const now = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-01T00:00:10Z')
const UNTIL = later.toISOString()
const none = { isPolled: false, isFifo: false, isOpen: false, isLimited: false }
const active = { status: 'active', ...none } as const
const facts: DeliveryFacts = {
  state: 'queued',
  due: { at: later, leased: true },
  parked: false,
  backlogDueAt: null,
  endpoint: active,
  deliverAt: null,
  now,
}
const parked = { due: null, parked: true, backlogDueAt: later }
const dueLater = { due: { at: later, leased: false } }

test.each<[string, Partial<DeliveryFacts>, string | null, string | null]>([
  ['delivered', { state: 'delivered' }, null, null],
  ['dead', { state: 'dead', due: null }, null, null],
  ['announced', {}, 'in_flight', UNTIL],
  ['handed over', { state: 'delivering' }, 'in_flight', UNTIL],
  [
    'handed over, of a paused endpoint',
    { state: 'delivering', endpoint: { ...active, status: 'paused' } },
    'in_flight',
    UNTIL,
  ],
  ['failed', { state: 'waiting', ...dueLater }, 'backoff', UNTIL],
  ['failed and announced again', { state: 'waiting' }, 'in_flight', UNTIL],
  ['delayed', { ...dueLater, deliverAt: later }, 'delay', UNTIL],
  ['whose delay is over', { deliverAt: new Date(now.getTime() - 1) }, 'in_flight', UNTIL],
  ['let go of', dueLater, 'in_flight', UNTIL],
  [
    'parked at a paused endpoint',
    { ...parked, endpoint: { ...active, status: 'paused' } },
    'paused',
    null,
  ],
  [
    'failed, then parked at one',
    { ...parked, state: 'waiting', endpoint: { ...active, status: 'paused' } },
    'paused',
    null,
  ],
  [
    'parked at a disabled one',
    { ...parked, endpoint: { ...active, status: 'disabled' } },
    'disabled',
    null,
  ],
  ['behind a circuit', { ...parked, endpoint: { ...active, isOpen: true } }, 'circuit', UNTIL],
  [
    'over its limit, and behind a circuit',
    { ...parked, endpoint: { ...active, isOpen: true, isLimited: true } },
    'circuit',
    UNTIL,
  ],
  ['over its limit', { ...parked, endpoint: { ...active, isLimited: true } }, 'rate_limit', UNTIL],
  ['parked at an active one', parked, 'overflow', UNTIL],
  ['parked at a direct target', { ...parked, endpoint: null }, 'overflow', UNTIL],
  ['visible to polls', { ...parked, endpoint: { ...active, isPolled: true } }, 'poll', null],
  ['behind its lane’s head', { due: null, endpoint: { ...active, isFifo: true } }, 'lane', null],
])('a delivery that is %s', (_, more, reason, until) => {
  const expected = reason === null ? null : { reason, until }
  expect(waitsFor({ ...facts, ...more })).toEqual(expected)
})
