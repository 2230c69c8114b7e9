/** Messages that come more than once within a batch, as they do when a backlog has waited for longer than a lease. */
import { expect, test } from '@jest/globals'
import type { DeliveryDue, EventAccepted } from '@posthorn/contracts/topics'
import type { FannedOut, WaitingEvent } from '@posthorn/store/pipeline/fan-out'
import { createFanOutEvents } from './fan-out-events.ts'
import { indexSubscriptions } from './match-endpoints.ts'

const [tenantId, projectId, endpointId] = ['t', 'p', 'n']

/** As the statement has it: a row for each id that it is given. */
function waiting({ eventId: id }: EventAccepted): WaitingEvent {
  return {
    tenantId,
    projectId,
    id,
    eventType: 'order.paid',
    payload: '{}',
    headers: null,
    maxAttempts: null,
    priority: 5,
    seq: 1,
    traceId: 'trace',
    configVersion: 1,
    endpointIds: null,
  }
}

test('an event that a batch has several times gets each of its deliveries once', async () => {
  const written: FannedOut[] = []
  const announced: DeliveryDue[] = []
  const fanOutEvents = createFanOutEvents({
    hasLanes: async () => false,
    readWaiting: async (events) => events.map(waiting),
    subscriptionsOf: async () =>
      indexSubscriptions([
        {
          endpointId,
          projectId,
          eventTypes: ['*'],
          filter: null,
          fifo: false,
          fifoPartitionKey: null,
        },
      ]),
    giveWay: () => undefined,
    fanOut: async (events) => {
      written.push(...events)
      return new Map(
        events.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => [deliveryId, 1])),
      )
    },
    fanOutInOrder: async () => new Map(),
    announce: (_topic, messages) => void announced.push(...messages),
    announcePolls: () => undefined,
    log: { info: () => undefined, error: () => undefined },
    count: () => undefined,
  })
  const message = { v: 1, tenantId, eventId: '0198c0de-0000-7000-8000-000000000001' } as const

  await fanOutEvents([message, { ...message }, { ...message }])

  expect(written.map(({ deliveries }) => deliveries.length)).toEqual([1])
  expect(announced).toHaveLength(1)
})
