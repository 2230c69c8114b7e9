import { describe, expect, test } from '@jest/globals'
import {
  DELIVERY_STATES,
  type DeliveryState,
  eventStatus,
  isOpen,
  next,
  STATE_CODE,
  statesBefore,
  TRIGGERS,
  type Trigger,
} from './delivery-state.ts'

/** Written out a second time on purpose; null: the transition must not exist. */
const EXPECTED: Record<DeliveryState, Record<Trigger, DeliveryState | null>> = {
  queued: {
    begin: 'delivering',
    succeed: 'delivered',
    fail: 'waiting',
    exhaust: 'dead',
    cancel: 'dead',
    replay: null,
    expire: null,
  },
  delivering: {
    begin: 'delivering',
    succeed: 'delivered',
    fail: 'waiting',
    exhaust: 'dead',
    cancel: 'dead',
    replay: null,
    expire: 'queued',
  },
  waiting: {
    begin: 'delivering',
    succeed: 'delivered',
    fail: 'waiting',
    exhaust: 'dead',
    cancel: 'dead',
    replay: 'queued',
    expire: null,
  },
  delivered: {
    begin: null,
    succeed: null,
    fail: null,
    exhaust: null,
    cancel: null,
    replay: null,
    expire: null,
  },
  dead: {
    begin: null,
    succeed: null,
    fail: null,
    exhaust: null,
    cancel: null,
    replay: 'queued',
    expire: null,
  },
}

describe('every pair of state and trigger', () => {
  const pairs = DELIVERY_STATES.flatMap((state) =>
    TRIGGERS.map((trigger) => [state, trigger] as const),
  )
  test.each(pairs)('%s + %s', (state, trigger) => {
    expect(next(state, trigger)).toBe(EXPECTED[state][trigger])
    expect(statesBefore(trigger).includes(STATE_CODE[state])).toBe(
      EXPECTED[state][trigger] !== null,
    )
  })
})

test('every result of an attempt is recorded from the same states, so the recorder names them once', () => {
  expect(statesBefore('fail')).toEqual(statesBefore('succeed'))
  expect(statesBefore('exhaust')).toEqual(statesBefore('succeed'))
  const open = DELIVERY_STATES.filter(isOpen).map((state) => STATE_CODE[state])
  expect(statesBefore('succeed')).toEqual(open)
  expect(statesBefore('cancel')).toEqual(open)
})

test('the stored numbers are what they have always been', () => {
  expect(STATE_CODE).toEqual({ queued: 0, delivering: 1, waiting: 2, delivered: 3, dead: 4 })
})

describe('an event’s status over all combinations of its deliveries', () => {
  /** Every multiset of up to three deliveries. */
  const sets: DeliveryState[][] = [[]]
  for (const a of DELIVERY_STATES) {
    sets.push([a])
    for (const b of DELIVERY_STATES) {
      sets.push([a, b])
      for (const c of DELIVERY_STATES) sets.push([a, b, c])
    }
  }

  test.each(sets.map((set) => [set.join('+') || 'none', set] as const))('%s', (_, set) => {
    const count = (state: DeliveryState): number => set.filter((one) => one === state).length
    const counts = {
      open: set.filter(isOpen).length,
      delivering: count('delivering'),
      waiting: count('waiting'),
      dead: count('dead'),
    }
    let expected = 'delivered'
    if (set.includes('delivering')) expected = 'delivering'
    else if (set.includes('waiting')) expected = 'failed'
    else if (set.includes('queued')) expected = 'queued'
    else if (set.includes('dead')) expected = 'dead'
    expect(eventStatus(counts, true)).toBe(expected)
  })

  test('an event that is not fanned out yet is queued', () => {
    expect(eventStatus({ open: 0, delivering: 0, waiting: 0, dead: 0 }, false)).toBe('queued')
  })
})
