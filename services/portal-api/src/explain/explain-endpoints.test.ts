/** The bounds on the time and the size of one explanation. */
import { expect, test } from '@jest/globals'
import { MAX_FILTER_CHARACTERS, MAX_FILTERS_MS, explainEndpoints } from './explain-endpoints.ts'
import type { ExplainedEndpointRow, EventFacts } from './read-facts.ts'

const at = new Date(0)

function eventOf(payload: unknown): EventFacts {
  return {
    id: 'event',
    projectId: 'project',
    idempotencyKey: 'key',
    eventType: 'order.paid',
    endpointIds: null,
    destination: null,
    payload: JSON.stringify(payload),
    maxAttempts: null,
    deliverAt: null,
    fannedOutAt: new Date(2),
    deadReason: null,
    open: 0,
    delivering: 0,
    waiting: 0,
    dead: 0,
    now: new Date(3),
  }
}

function endpointOf(id: string, value: unknown): ExplainedEndpointRow {
  return {
    id,
    projectId: 'project',
    description: null,
    url: 'https://example.com/hook',
    status: 'active',
    maxRetries: null,
    deliveryMode: null,
    fifo: null,
    rateLimitPerSec: null,
    eventTypes: ['*'],
    filter: [{ field: '$.list[*]', operator: 'in', value }] as ExplainedEndpointRow['filter'],
    createdAt: at,
    deletedAt: null,
  }
}

const many = (count: number, value: unknown = ['z']): ExplainedEndpointRow[] =>
  Array.from({ length: count }, (_, n) => endpointOf(`e${n}`, value))

test('all are explained while filters take little', async () => {
  const stopped = (): number => 0
  const { explained, hasMore } = await explainEndpoints(
    eventOf({ list: ['a'] }),
    many(1_000),
    [],
    stopped,
  )
  expect(hasMore).toBe(false)
  expect(explained).toHaveLength(1_000)
  expect(explained[999]).toMatchObject({ matched: false, reason: 'filter' })
})

test('filters that take too long together end the explanation, but only after endpoints with a delivery', async () => {
  let now = 0
  // The clock is read before and after each filter.
  const clock = (): number => (now += 10)
  const endpoints = many(200)
  const deliveries = endpoints.slice(0, 90).map(({ id }) => ({ id: `d-${id}`, endpointId: id }))
  const { explained, hasMore } = await explainEndpoints(
    eventOf({ list: ['a'] }),
    endpoints,
    deliveries,
    clock,
  )
  expect(hasMore).toBe(true)
  expect(explained).toHaveLength(90 + MAX_FILTERS_MS / 10)
  expect(explained.slice(0, 90).every(({ matched }) => matched)).toBe(true)
  expect(explained[90]).toMatchObject({ matched: false, reason: 'filter' })
})

test('the size of filters and found values in the answer is bounded', async () => {
  const payload = { list: Array.from({ length: 20 }, (_, n) => `${n}${'x'.repeat(990)}`) }
  const { explained, hasMore } = await explainEndpoints(
    eventOf(payload),
    many(1_000, ['y'.repeat(900)]),
    [],
    () => 0,
  )
  expect(hasMore).toBe(true)
  const size = explained.reduce((sum, { filter }) => sum + JSON.stringify(filter).length, 0)
  expect(size).toBeLessThanOrEqual(MAX_FILTER_CHARACTERS)
  expect(size).toBeGreaterThan(MAX_FILTER_CHARACTERS / 2)
})

test('the event loop has turns while a payload of 1 MiB is parsed', async () => {
  const event = eventOf({ list: Array.from({ length: 200_000 }, () => []) })
  let [begun, isOver] = [0, false]
  const count = (): void => {
    begun += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const { explained } = await explainEndpoints(event, many(2), [], () => 0)
  isOver = true
  expect(explained).toHaveLength(2)
  // A step has 4,000 values.
  expect(begun).toBeGreaterThan(40)
})
