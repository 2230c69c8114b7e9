import { expect, test } from '@jest/globals'
import type { DeliveryDue } from '@posthorn/contracts/topics'
import type { FannedOut } from '@posthorn/store/pipeline/fan-out'
import type { Plan } from './plan-event.ts'
import { createWritePlans } from './write-plans.ts'

function planOf(n: number): Plan {
  const tenantId = 't'
  const event = {
    tenantId,
    id: `0198c0de-0000-7000-8000-${String(n).padStart(12, '0')}`,
    projectId: 'p',
    eventType: 'order.paid',
    endpointIds: null,
    payload: '{}',
    headers: null,
    maxAttempts: null,
    priority: 5,
    seq: n,
    traceId: 'trace',
    traceparent: null,
    configVersion: 1,
  }
  const deliveries = [{ deliveryId: `d${n}`, endpointId: 'n', lane: '"a"' }]
  return { event, out: { tenantId, eventId: event.id, deliveries }, filteredOut: 0 }
}

/** Writes those of them that no other instance has fanned out, at most this many at a time. */
function createStage(fannedOutElsewhere: readonly number[], most = Number.POSITIVE_INFINITY) {
  const announced: string[] = []
  const elsewhere = new Set(fannedOutElsewhere.map((n) => planOf(n).event.id))
  const { writeInOrder } = createWritePlans({
    fanOut: async () => new Map(),
    async fanOutInOrder(_, events: readonly FannedOut[]) {
      const written = events.filter(({ eventId }) => !elsewhere.has(eventId)).slice(0, most)
      const heads = written.flatMap(({ deliveries }) => deliveries)
      return { written, tokens: new Map(heads.map(({ deliveryId }) => [deliveryId, 1])) }
    },
    announceDue: (messages: readonly DeliveryDue[]) =>
      void announced.push(
        ...messages.flatMap((one) => (one.kind === 'delivery' ? [one.deliveryId] : [])),
      ),
    announcePolls: () => undefined,
    leaveTime: async () => undefined,
    log: { info: () => undefined, error: () => undefined },
    count: () => undefined,
  })
  return { writeInOrder, announced }
}

test('events are announced that follow one which another instance has fanned out', async () => {
  const stage = createStage([1])
  const done = await stage.writeInOrder('t', [planOf(1), planOf(2), planOf(3)])
  expect(stage.announced).toEqual(['d2', 'd3'])
  expect(done).toEqual({ written: 2, failed: null })
})

test('a statement that writes fewer than it was given is the last', async () => {
  const stage = createStage([1], 1)
  const done = await stage.writeInOrder('t', [planOf(1), planOf(2), planOf(3)])
  expect(stage.announced).toEqual(['d2'])
  expect(done).toEqual({ written: 1, failed: null })
})
