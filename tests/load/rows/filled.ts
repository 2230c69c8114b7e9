/**
 * Rows 11 and 14: the product over millions of finished events. The first row that runs fills the
 * database.
 */
import {
  type Bench,
  failuresOf,
  firstSender,
  makeEndpoints,
  type RowMeasurement,
  byForm,
  range,
  type LoadRow,
  runSenders,
} from '../bench.ts'
import { fillFinished } from '../fill-finished.ts'
import { measureDirect } from './throughput.ts'

const EVENTS = 5_000_000
const DAYS = 6
const ENDPOINTS = 20
const READERS = 4

async function ensureFilled(bench: Bench): Promise<string[]> {
  const { product } = bench
  const made = await endpointIds(bench)
  if (made.length > 0) return made
  const endpoints = range(1, ENDPOINTS).map((number) => ({
    url: `http://${bench.door}/${bench.numbers(1)}`,
    eventType: `filled.t${number}`,
  }))
  const ids = await makeEndpoints(bench, endpoints)
  const events = byForm(bench, EVENTS, 12_000)
  await fillFinished(product.database, { events, days: DAYS, endpointIds: ids }, bench.say)
  return ids
}

/** The endpoints of an earlier run, whose data folder is kept. */
async function endpointIds({ product }: Bench): Promise<string[]> {
  const { rows } = await product.database.query<{ id: string }>(
    `SELECT id FROM endpoints WHERE config -> 'eventTypes' ->> 0 LIKE 'filled.%'`,
  )
  return rows.map(({ id }) => id)
}

async function measureFilled(bench: Bench): Promise<RowMeasurement> {
  await ensureFilled(bench)
  const { figures, costs, failures } = await measureDirect(bench)
  return { figures: { 'filled.perSecond': figures['direct.perSecond'] ?? 0 }, costs, failures }
}

interface Page {
  data: { id: string }[]
  pagination: { cursor: string | null }
}

async function measureReads(bench: Bench): Promise<RowMeasurement> {
  const endpoints = await ensureFilled(bench)
  const { product } = bench
  const list = async (query: string): Promise<Page> =>
    (await product.call('GET', `/api/v1/events?limit=50${query}`)) as Page
  // Ids and cursors from all over the tables: dead events are rare, so each page of them leads far
  // on.
  const events: string[] = []
  const cursors: string[] = []
  for (let cursor = '', pages = 0; pages < 20; pages += 1) {
    const { data, pagination } = await list(`&status=dead${cursor}`)
    events.push(...data.map(({ id }) => id))
    if (pagination.cursor === null) break
    cursors.push(pagination.cursor)
    cursor = `&cursor=${pagination.cursor}`
  }
  const paths: Record<string, string[]> = {
    'events, newest': ['/events?limit=50'],
    'events, dead': ['/events?limit=50&status=dead'],
    'events, failed': ['/events?limit=50&status=failed'],
    'events of a type': ['/events?limit=50&eventType=order.paid'],
    'events of an unknown type': ['/events?limit=50&eventType=order.none'],
    'events, a type and dead': ['/events?limit=50&eventType=order.paid&status=dead'],
    'events, a destination': ['/events?limit=50&destination=https%3A%2F%2Fexample.com%2Fhooks%2F1'],
    'events, a destination and dead': [
      '/events?limit=50&destination=https%3A%2F%2Fexample.com%2Fhooks%2F2&status=dead',
    ],
    'events of an endpoint': endpoints.map((id) => `/events?limit=50&endpointId=${id}`),
    'events of an endpoint, dead': endpoints.map(
      (id) => `/events?limit=50&endpointId=${id}&status=dead`,
    ),
    'events, by cursor': cursors.map((cursor) => `/events?limit=50&cursor=${cursor}`),
    'deliveries, newest': ['/deliveries?range=7d'],
    'deliveries of an endpoint': endpoints.map((id) => `/deliveries?range=7d&endpoint_id=${id}`),
    'deliveries, failures': ['/deliveries?range=7d&outcome=failure'],
    'an event': events.map((id) => `/events/${id}`),
    "an event's attempts": events.map((id) => `/events/${id}/deliveries`),
  }
  const costs: Record<string, number> = {}
  const failures: string[] = []
  for (const [name, all] of Object.entries(paths)) {
    const outcome = await runSenders(bench, [
      {
        name,
        method: 'GET',
        urls: all.map((path) => `${product.url}/api/v1${path}`),
        headers: { 'X-API-Key': product.apiKey },
        count: byForm(bench, 300, 20),
        connections: READERS,
      },
    ])
    const { ack } = firstSender(outcome)
    costs[`${name}: p50 ms`] = ack.p50
    costs[`${name}: p99 ms`] = ack.p99
    failures.push(...failuresOf(firstSender(outcome)))
  }
  const slowest = Object.entries(costs).filter(([name]) => name.endsWith('p99 ms'))
  return {
    figures: { 'reads.p99': Math.max(...slowest.map(([, value]) => value)) },
    costs,
    failures,
  }
}

export const filledRow: LoadRow = { row: 11, name: 'direct events, filled', run: measureFilled }
export const readsRow: LoadRow = { row: 14, name: 'lists and details', run: measureReads }
