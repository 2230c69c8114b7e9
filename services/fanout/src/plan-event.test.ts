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

test.each([
  ['a filter', { filter: isOver(5) }],
  ['a lane', { fifo: true, fifoPartitionKey: '$.amount' }],
])('a payload of 1 MiB is parsed in steps for %s', async (_, asking) => {
  const payload = `{"amount":7,"all":[${'[],'.repeat(300_000)}1]}`
  const subscriptions = await indexSubscriptions([{ ...fields, endpointId: 'n', ...asking }])
  const planning = planEvent({ ...event, payload }, subscriptions, () => {})
  let count = 0
  let step = planning.next()
  for (; step.done !== true; step = planning.next()) count += 1
  expect(step.value.out.deliveries).toHaveLength(1)
  // Each step has 4,000 values.
  expect(count).toBeGreaterThan(70)
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
