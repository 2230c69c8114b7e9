/** What is asked of the state store, and what is not. */
import { beforeEach, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { CircuitReport, CircuitView } from '@posthorn/domain/circuit'
import { type Circuits, createCircuits } from './circuits.ts'
import type { AttemptResult } from '../record/classify-result.ts'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import { newDelivery, toQueued, toSending, toUnrecorded } from '../delivery.ts'
import type { Slot } from './windows.ts'

const CLOSED: CircuitView = { state: 'closed', failures: 0, waitMs: 0, openedAt: 0 }
const OPEN: CircuitView = { state: 'open', failures: 3, waitMs: 1_000, openedAt: 1 }

let now: number
let asked: string[]
let views: Record<string, CircuitView>
let changed: string[]
let probed: string[]
let targets: Record<string, ResolvedTarget>
let circuits: Circuits
let known: number
beforeEach(() => {
  now = 0
  known = 0
  asked = []
  views = {}
  changed = []
  probed = []
  targets = { off: { ...target('off'), circuit: null } }
  circuits = createCircuits({
    state: {
      async readCircuits(ids) {
        asked.push(`read ${ids.join(' ')}`)
        return ids.map((id) => views[id] ?? CLOSED)
      },
      async passCircuit(id, leaseMs) {
        asked.push(`pass ${id} ${leaseMs}`)
        return { outcome: 'probe' }
      },
      async reportCircuit(id, { signal: sign, isProbe }: CircuitReport) {
        asked.push(`${sign} ${id}${isProbe ? ' by probe' : ''}`)
        const view = views[id] ?? CLOSED
        const change = sign === 'failure' && view.state === 'open' ? 'opened' : null
        return { view, change, wasOpenedAt: 0 }
      },
    },
    configuration: {
      peekTarget: (_tenantId, endpointId) =>
        endpointId === 'unknown' ? undefined : (targets[endpointId] ?? target(endpointId)),
      getTarget: async (_tenantId, endpointId) => target(endpointId),
    },
    ticker: { wake: () => void known++ },
    operationalEvents: {
      circuitChanged: ({ targetId }, _message, { change }) =>
        void changed.push(`${change} ${targetId}`),
    },
    probed: (endpointId) => void probed.push(endpointId),
    now: () => now,
  })
})

function target(endpointId: string): ResolvedTarget {
  const circuit = { threshold: 3, resetMs: 1_000 }
  return { targetId: endpointId, endpointId, timeoutMs: 5_000, circuit } as ResolvedTarget
}

const message = (endpointId: string | null) => ({ tenantId: 't', endpointId }) as DueDelivery

function ended(
  endpointId: string,
  statusCode: number,
  { probe = false, dropped = false } = {},
): void {
  const queued = toQueued(
    newDelivery(message(endpointId), 1, null, 0),
    targets[endpointId] ?? target(endpointId),
    0,
  )
  const delivery = toUnrecorded(toSending(queued, queued.target, {} as Slot))
  delivery.probe = probe
  const category = statusCode === 200 ? null : 'http_5xx'
  const attempt = { endpointId, statusCode, durationMs: 5 }
  circuits.attemptEnded({
    delivery,
    attempt,
    category,
    gone: false,
    dropped,
  } as AttemptResult)
}

test('a healthy endpoint is read once, then with all others, and nothing is reported', async () => {
  await circuits.learn(['a', 'b', 'a', null, 'off'].map((id) => ({ message: message(id) })))
  for (let n = 0; n < 100; n += 1) {
    expect(circuits.learn([{ message: message('a') }])).toBeUndefined()
    expect(circuits.stops({ probe: false }, target('a'))).toBe(false)
    expect(circuits.requestPermit('t', 'a')).toBeNull()
    ended('a', 200)
  }
  expect(asked).toEqual(['read a b'])
  now = 250
  await circuits.tick()
  expect(asked.slice(1)).toEqual(['read a b'])
  now = 2_300
  await circuits.tick()
  expect(asked).toHaveLength(2)
})

test('without a circuit breaker nothing is asked or reported', () => {
  expect(circuits.learn([{ message: message('off') }])).toBeUndefined()
  expect(circuits.requestPermit('t', 'off')).toBeNull()
  ended('off', 500)
  expect(asked).toEqual([])
})

test('failures are reported, and one success after them, wherever they were', async () => {
  views['a'] = { ...CLOSED, failures: 1 }
  await circuits.learn([{ message: message('a') }])
  ended('a', 200)
  ended('a', 200)
  ended('b', 500)
  expect(asked).toEqual(['read a', 'success a', 'failure b'])
})

test('an opening is known at once to who caused it, and nothing more is reported', async () => {
  views['a'] = OPEN
  ended('a', 500)
  await Promise.resolve()
  expect(changed).toEqual(['opened a'])
  expect(circuits.stops({ probe: false }, target('a'))).toBe(true)
  ended('a', 500)
  ended('a', 200)
  expect(asked).toEqual(['failure a'])
})

test('an endpoint that is not in memory is asked for with a lease of its own all the same', async () => {
  expect(await circuits.requestPermit('t', 'unknown')).toEqual({ outcome: 'probe' })
  expect(asked).toEqual(['pass unknown 15000'])
})

test('a probe is asked for with a lease longer than its attempt, and reports whatever it brings', async () => {
  views['a'] = OPEN
  await circuits.learn([{ message: message('a') }])
  expect(await circuits.requestPermit('t', 'a')).toEqual({ outcome: 'probe' })
  ended('a', 200, { probe: true })
  ended('a', 200, { probe: true, dropped: true })
  const delivery = newDelivery(message('a'), 1, null, 0)
  delivery.probe = true
  circuits.releaseProbe(delivery)
  circuits.releaseProbe(delivery)
  expect(asked.slice(1)).toEqual([
    'pass a 15000',
    'success a by probe',
    'nothing a by probe',
    'nothing a by probe',
  ])
  await new Promise(setImmediate)
  expect(probed).toEqual(['a', 'a', 'a'])
})

test('what was reported meanwhile is not undone by an older reading', async () => {
  const reading = circuits.learn([{ message: message('a') }])
  now = 1
  views['a'] = OPEN
  ended('a', 500)
  await reading
  await new Promise(setImmediate)
  expect(circuits.stops({ probe: false }, target('a'))).toBe(true)
})

test('it ticks for as long as it knows any, and says when it knows the first', async () => {
  await circuits.learn([{ message: { tenantId: 't', endpointId: 'a' } as DueDelivery }])
  expect(known).toBe(1)
  expect(await circuits.tick()).toBe(true)
  now += 10_000
  expect(await circuits.tick()).toBe(false)
})
