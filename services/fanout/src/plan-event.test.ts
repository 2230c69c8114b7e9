import { expect, jest, test } from '@jest/globals'
import type { WaitingEvent } from '@posthorn/store/pipeline/fan-out'
import { indexSubscriptions } from './match-endpoints.ts'
import { planEvent } from './plan-event.ts'

const PAYLOAD = '{"customer":"a","amount":7}'
const event: WaitingEvent = {
  tenantId: 't',
  id: 'e',
  projectId: 'p',
  eventType: 'order.paid',
  endpointIds: null,
  payload: PAYLOAD,
  headers: null,
  maxAttempts: null,
  priority: 5,
  seq: 1,
  traceId: 'trace',
  traceparent: null,
  configVersion: 1,
}
const fields = {
  projectId: 'p',
  eventTypes: ['*'],
  filter: null,
  fifo: false,
  fifoPartitionKey: null,
}
const isOver = (value: number) => [{ field: '$.amount', operator: 'gt' as const, value }]

async function plan(endpoints: readonly object[]) {
  const subscriptions = await indexSubscriptions(
    endpoints.map((more, n) => ({ ...fields, endpointId: `n${n}`, ...more })),
  )
  const parse = jest.spyOn(JSON, 'parse')
  try {
    const steps = planEvent(event, subscriptions, () => {})
    let step = steps.next()
    while (step.done !== true) step = steps.next()
    const parsed = parse.mock.calls.filter(([text]) => text === PAYLOAD).length
    return { plan: step.value, parsed }
  } finally {
    parse.mockRestore()
  }
}

test('the payload is parsed once for all filters and lanes', async () => {
  const { plan: planned, parsed } = await plan([
    { filter: isOver(1) },
    { filter: isOver(9) },
    { fifo: true, fifoPartitionKey: '$.customer' },
    { fifo: true, fifoPartitionKey: '$.amount', filter: isOver(5) },
  ])
  const lanes = planned.out.deliveries.map(({ endpointId, lane }) => [endpointId, lane])
  expect(lanes).toEqual([
    ['n0', null],
    ['n2', '"a"'],
    ['n3', '7'],
  ])
  expect(planned.filteredOut).toBe(1)
  expect(parsed).toBe(1)
})

test('without filters and partition keys the payload is not parsed', async () => {
  const { plan: planned, parsed } = await plan([{}, { fifo: true }])
  expect(planned.out.deliveries.map(({ lane }) => lane)).toEqual([null, ''])
  expect(parsed).toBe(0)
})

test('connectors that subscribe to the type are told, but not of an event for named endpoints', async () => {
  const connectors = [{ connectorId: 'c', projectId: null, eventTypes: ['order.*'] }]
  const subscriptions = await indexSubscriptions([], undefined, connectors)
  const told = (more: Partial<WaitingEvent>) => {
    const step = planEvent({ ...event, ...more }, subscriptions, () => {}).next()
    return step.done === true ? step.value.out.connectors : 'not done'
  }
  expect(told({})).toEqual([{ notificationId: expect.any(String), connectorId: 'c' }])
  expect(told({ eventType: 'user.new' })).toBeUndefined()
  expect(told({ endpointIds: ['n1'] })).toBeUndefined()
})
