/** Batches on a clock that only filters advance, to show what waits for what. */
import { expect, test } from '@jest/globals'
import type { DeliveryDue } from '@posthorn/contracts/topics'
import type { FannedOut, WaitingEvent } from '@posthorn/store/pipeline/fan-out'
import { createBatches } from './batches.ts'
import { createFanOutEvents } from './fan-out-events.ts'
import type { Candidates, Subscriptions } from './match-endpoints.ts'
import { createTenantQueues } from './tenant-queues.ts'
import { createWritePlans } from './write-plans.ts'

const PROJECT = '01900000-0000-7000-8000-000000000000'
type EventRef = { tenantId: string; eventId: string }

const eventId = (n: number): string => `0198c0de-0000-7000-8000-${String(n).padStart(12, '0')}`

function waitingEvent({ tenantId, eventId: id }: EventRef): WaitingEvent {
  const what = { eventType: 'order.paid', payload: '{}', headers: null, traceId: 'trace' }
  const rest = { maxAttempts: null, priority: 5, seq: 1, configVersion: 1, endpointIds: null }
  return { tenantId, projectId: PROJECT, id, ...what, ...rest, traceparent: null }
}

function subscriptions(hasLanes: boolean, candidates: Candidates): Subscriptions {
  return {
    hasLanes,
    *find() {
      yield* []
      return candidates
    },
    named: () => candidates,
    // oxlint-disable-next-line require-yield -- it has nothing to look for
    *connectors() {
      return null
    },
  }
}

interface Written {
  tenantId: string
  id: string
  deliveries: number
  atMs: number
}

function createStage(filtersOf: (tenantId: string) => number) {
  let nowMs = 0
  let evaluated = 0
  const written: Written[] = []
  const announced: DeliveryDue[] = []
  const queues = createTenantQueues()
  const log = {
    info: () => undefined,
    error: (_: string, fields: object) => expect(fields).toBe(null),
  }

  function candidatesOf(tenantId: string): Candidates {
    const count = filtersOf(tenantId)
    const filter = () => ({
      outcome: 'ok' as const,
      evaluate() {
        nowMs += 5
        evaluated += 1
        return { matches: true as const }
      },
    })
    return {
      endpointIds: Array.from({ length: Math.max(1, count) }, (_, n) => `${tenantId} ${n}`),
      filters: count === 0 ? null : Array(count).fill(filter),
      lanes: null,
    }
  }

  const fanOutEvents = createFanOutEvents({
    queues,
    // Answers as the statement does: a row for each id that it is given, repeated ones too.
    readWaiting: async (events) => events.map(waitingEvent),
    readOldest: async () => [],
    subscriptionsOf: async ({ tenantId }) => subscriptions(false, candidatesOf(tenantId)),
    hasLanes: async () => false,
    giveWay: async () => undefined,
    now: () => nowMs,
    write: createWritePlans({
      async fanOut(events: readonly FannedOut[]) {
        for (const { tenantId, eventId: id, deliveries } of events)
          written.push({ tenantId, id, deliveries: deliveries.length, atMs: nowMs })
        return new Map(
          events.flatMap(({ deliveries }) => deliveries.map((one) => [one.deliveryId, 1])),
        )
      },
      fanOutInOrder: async () => ({ written: [], tokens: new Map() }),
      announceDue: (messages) => void announced.push(...messages),
      announcePolls: () => undefined,
      log,
      count: () => undefined,
    }),
    countFailures: async () => new Set<string>(),
    wake: () => undefined,
    log,
  })
  const batches = createBatches(queues, fanOutEvents, (error) => expect(error).toBe(null))
  const runBatch = async (): Promise<void> => await fanOutEvents(queues.pick())
  return {
    batches,
    queues,
    runBatch,
    written,
    announced,
    evaluated: () => evaluated,
    now: () => nowMs,
  }
}

// An event is announced more than once when it has waited for longer than a lease.
test('an event that is announced several times gets each of its deliveries once', async () => {
  const stage = createStage(() => 0)
  let done = 0
  for (let n = 0; n < 3; n += 1)
    stage.batches.enqueue({ tenantId: 't', eventId: eventId(1), done: () => void (done += 1) })
  await stage.batches.idle()
  expect(done).toBe(3)
  expect(stage.written.map(({ deliveries }) => deliveries)).toEqual([1])
  expect(stage.announced).toHaveLength(1)
  stage.batches.stop()
})

test('an event with many expensive filters is planned in parts, and no batch waits more than 25 ms for it', async () => {
  const stage = createStage((tenantId) => (tenantId === 'expensive' ? 100 : 0))
  const done = (): void => undefined
  stage.queues.add({ tenantId: 'expensive', eventId: eventId(0), done })
  for (
    let n = 1;
    n <= 400 && !stage.written.some(({ tenantId }) => tenantId === 'expensive');
    n += 1
  ) {
    stage.queues.add({ tenantId: 'small', eventId: eventId(n), done })
    const began = stage.now()
    await stage.runBatch()
    expect(stage.now() - began).toBeLessThanOrEqual(25)
    expect(stage.written.filter(({ tenantId }) => tenantId === 'small')).toHaveLength(n)
  }
  // Each of its filters ran once, though that took many batches.
  expect(stage.written.find(({ tenantId }) => tenantId === 'expensive')).toMatchObject({
    deliveries: 100,
  })
  expect(stage.evaluated()).toBe(100)
  expect(stage.queues.size()).toBe(0)
})

// Two instances found the same oldest event. One wrote it before the other had read it, whose
// message was then used up, and an event behind it waited for its lease.
test('in order, a message whose oldest event another instance took lets the next one through', async () => {
  const queues = createTenantQueues()
  const waiting = [eventId(1), eventId(2)]
  const written: string[] = []
  let isOvertaken = true
  const fanOutEvents = createFanOutEvents({
    queues,
    hasLanes: async () => true,
    readOldest: async ([tenant]) => {
      const oldest = waiting.slice(0, tenant?.limit ?? 0)
      if (isOvertaken) waiting.shift()
      isOvertaken = false
      return oldest.map((id) => ({ tenantId: 't', eventId: id }))
    },
    readWaiting: async (events) =>
      events.filter(({ eventId: id }) => waiting.includes(id)).map(waitingEvent),
    subscriptionsOf: async () =>
      subscriptions(true, { endpointIds: ['e'], filters: null, lanes: null }),
    giveWay: async () => undefined,
    now: () => 0,
    write: {
      write: async () => [],
      async writeInOrder(_, plans) {
        for (const { event } of plans) written.push(event.id)
        waiting.splice(0, plans.length)
        return { written: plans.length, failed: null }
      },
    },
    countFailures: async () => new Set<string>(),
    wake: () => undefined,
    log: { error: (name, fields) => expect({ name, ...fields }).toBe(null) },
  })
  let done = 0
  queues.add({ tenantId: 't', eventId: eventId(2), done: () => void (done += 1) })
  for (let round = 0; round < 3 && done === 0; round += 1) {
    await fanOutEvents(queues.pick())
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect({ done, written, waiting }).toEqual({ done: 1, written: [eventId(2)], waiting: [] })
})
