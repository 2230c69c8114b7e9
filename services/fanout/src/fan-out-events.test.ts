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

/** @param statement what the statement that writes these waits for */
function createStage(
  filtersOf: (tenantId: string) => number,
  statement: (events: readonly FannedOut[]) => Promise<void> = async () => undefined,
  endpointsOf: (tenantId: string) => number = filtersOf,
) {
  let nowMs = 0
  const pauses: { tenantId: string; end(): void }[] = []
  const pausing = { lasts: false }
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
      endpointIds: Array.from(
        { length: Math.max(1, endpointsOf(tenantId)) },
        (_, n) => `${tenantId} ${n}`,
      ),
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
        await statement(events)
        for (const { tenantId, eventId: id, deliveries } of events)
          written.push({ tenantId, id, deliveries: deliveries.length, atMs: nowMs })
        return new Map(
          events.flatMap(({ deliveries }) => deliveries.map((one) => [one.deliveryId, 1])),
        )
      },
      fanOutInOrder: async () => ({ written: [], tokens: new Map() }),
      announceDue: (messages) => void announced.push(...messages),
      announcePolls: () => undefined,
      async leaveTime(tenantId) {
        const { promise, resolve: end } = Promise.withResolvers<void>()
        pauses.push({ tenantId, end })
        if (pausing.lasts) await promise
      },
      log,
      count: () => undefined,
    }),
    countFailures: async () => new Set<string>(),
    wake: () => batches.wake(),
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
    pauses,
    pausing,
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
      writeFlood: async () => [],
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

/** Endpoints without filters: `filters` is null where there are none. */
function createFloods(endpointsOf: Record<string, number>) {
  const statements: string[] = []
  const gates: (() => void)[] = []
  const stage = createStage(
    () => 0,
    async (events) => {
      const tenants = [...new Set(events.map(({ tenantId }) => tenantId))].join()
      statements.push(tenants)
      if (tenants.startsWith('flood')) await new Promise<void>((open) => gates.push(open))
    },
    (tenantId) => endpointsOf[tenantId] ?? 1,
  )
  const add = (tenantId: string, from: number, count: number): void => {
    for (let n = from; n < from + count; n += 1)
      stage.batches.enqueue({ tenantId, eventId: eventId(n), done: () => undefined })
  }
  return { ...stage, add, statements, gates }
}

const nextRounds = async (): Promise<void> => {
  for (let round = 0; round < 10; round += 1) await new Promise((done) => setImmediate(done))
}

// A batch of a flood was 20,000 deliveries in one: for seconds nobody else's event was fanned out.
test('an event of another tenant does not wait until a flood is written', async () => {
  const stage = createFloods({ flood: 100 })
  stage.add('flood', 0, 100)
  await nextRounds()
  expect(stage.statements).toEqual(['flood'])
  stage.add('small', 1_000, 1)
  await nextRounds()
  expect(stage.written.map(({ tenantId }) => tenantId)).toEqual(['small'])
  while (stage.gates.length > 0) {
    stage.gates.shift()?.()
    await nextRounds()
  }
  await stage.batches.idle()
  const ofFlood = stage.written.filter(({ tenantId }) => tenantId === 'flood')
  expect(new Set(ofFlood.map(({ id }) => id)).size).toBe(100)
  expect(ofFlood).toHaveLength(100)
})

test('nor does it wait for a single event with more endpoints than one statement takes', async () => {
  const stage = createFloods({ flood: 600 })
  stage.add('flood', 0, 1)
  stage.add('small', 1_000, 1)
  await nextRounds()
  expect(stage.written.map(({ tenantId }) => tenantId)).toEqual(['small'])
  stage.gates.shift()?.()
  await stage.batches.idle()
  expect(stage.written.map(({ deliveries }) => deliveries)).toEqual([1, 600])
  expect(stage.pauses.map(({ tenantId }) => tenantId)).toEqual(['flood'])
})

test('floods take turns, statement by statement, and leave time to others after each', async () => {
  const stage = createFloods({ 'flood a': 50, 'flood b': 50 })
  stage.add('flood a', 0, 20)
  stage.add('flood b', 100, 20)
  for (let n = 0; n < 8; n += 1) {
    await nextRounds()
    expect(stage.gates).toHaveLength(1)
    stage.gates.shift()?.()
  }
  await stage.batches.idle()
  expect(stage.statements).toEqual(
    Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? 'flood a' : 'flood b')),
  )
  expect(stage.pauses.map(({ tenantId }) => tenantId)).toEqual(stage.statements)
})

test('while a flood leaves time to others, no other flood takes it', async () => {
  const stage = createFloods({ 'flood a': 50, 'flood b': 50 })
  stage.pausing.lasts = true
  stage.add('flood a', 0, 10)
  stage.add('flood b', 100, 10)
  stage.add('small', 1_000, 1)
  for (const flood of ['flood a', 'flood b', 'flood a', 'flood b']) {
    await nextRounds()
    expect(stage.gates).toHaveLength(1)
    stage.gates.shift()?.()
    await nextRounds()
    expect(stage.pauses.at(-1)?.tenantId).toBe(flood)
    // The statement of the next begins after the pause.
    expect(stage.gates).toHaveLength(0)
    stage.pauses.at(-1)?.end()
  }
  await stage.batches.idle()
  expect(stage.written).toHaveLength(21)
})

test('more floods than have a place wait for one, and get it before those that had it', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `flood ${n}`)
  const stage = createFloods(Object.fromEntries(names.map((name) => [name, 50])))
  for (const [place, name] of names.entries()) stage.add(name, place * 1_000, 200)
  for (let n = 0; n < 1_000 && stage.written.length < 7 * 200; n += 1) {
    await nextRounds()
    stage.gates.shift()?.()
  }
  await stage.batches.idle()
  // Four have places, and sixteen statements each before they give them back.
  const first = names.map((name) => stage.statements.indexOf(name))
  expect(Math.max(...first)).toBeLessThan(80)
  expect(stage.written).toHaveLength(7 * 200)
})
