/**
 * GET /events over a real Postgres with tens of thousands of events: every combination of filters
 * gets the right page.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { EVENT_STATUSES } from '@posthorn/domain/delivery-state'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { ensurePartitions } from '@posthorn/store/partitions'
import type { Pool } from '@posthorn/store/pool'
import fc from 'fast-check'
import { createFindEvents, type EventFilter } from './find-events.ts'
import { HAS_STATUS } from './event-record.ts'
import { requireShape, startTestIngest, type Tenant, type TestIngest } from './ingest.fixture.ts'

const EVENTS = 30_000
const DAY_MS = 86_400_000

let ingest: TestIngest
let tenant: Tenant
const projects: string[] = []
const endpoints = [newId(), newId()] as const

beforeAll(async () => {
  ingest = await startTestIngest()
  tenant = await ingest.addTenant()
  projects.push(tenant.projectId, await ingest.addProject(tenant.tenantId))
  for (const days of [1, 2])
    await ensurePartitions(ingest.pool, new Date(Date.now() - days * DAY_MS))
  await fill()
}, 120_000)
afterAll(async () => await ingest.close())

/**
 * Event n of three days. Some kinds are rare: one project has the events 7 and 29,000, one type has
 * three, one destination two. Every third event is by type and has a delivery to each endpoint; the
 * second endpoint gets only every thousandth.
 */
async function fill(): Promise<void> {
  await ingest.pool.query(
    `INSERT INTO events (tenant_id, id, project_id, idempotency_key, destination, event_type,
      payload, priority, trace_id,
       fanned_out_at, open_count, waiting_count, dead_count, attempts, ended_at)
     SELECT $1, ${ID}, CASE WHEN n IN (7, 29000) THEN $3::uuid ELSE $2::uuid END, n::text,
       CASE WHEN n % 3 > 0 THEN 'https://example.com/' || CASE WHEN n IN (301, 25001) THEN 'rare'
         ELSE (n % 5)::text END END,
       CASE WHEN n % 3 = 0 THEN CASE WHEN n IN (3, 15000, 29997) THEN 'order.rare'
         ELSE 'order.paid' END END,
       '{}', 5, 'trace', now(), (n % 400 = 10)::int, (n % 400 = 10)::int, (n % 250 = 3)::int, 1,
         now()
     FROM generate_series(0, ${EVENTS - 1}) n`,
    [tenant.tenantId, ...projects],
  )
  await ingest.pool.query(
    `INSERT INTO deliveries (tenant_id, id, event_id, endpoint_id, target_id, seq, priority, state)
     SELECT $1, gen_id, ${ID}, endpoint, endpoint, n, 5, 3
     FROM generate_series(0, ${EVENTS - 1}) n
     CROSS JOIN LATERAL (SELECT ${ID.replace("'8'", "'9'")} AS gen_id, $2::uuid AS endpoint
       WHERE n % 3 = 0
       UNION ALL SELECT ${ID.replace("'8'", "'a'")}, $3::uuid WHERE n % 3000 = 0) made`,
    [tenant.tenantId, ...endpoints],
  )
  await ingest.pool.query('ANALYZE events, deliveries')
}

/** A UUIDv7 of the number, spread over two days up to an hour ago. */
const FIRST_MS = Math.floor(Date.now() - 2 * DAY_MS)
const STEP_MS = Math.floor((2 * DAY_MS - 3_600_000) / EVENTS)
const ID = `(lpad(to_hex((${FIRST_MS} + n::bigint * ${STEP_MS})), 12, '0') || '7000' || '8'
  || substr(md5(n::text), 1, 15))::uuid`

interface Listed {
  id: string
  projectId: string
}

async function readAll(query: string, headers: Record<string, string> = {}): Promise<Listed[][]> {
  const pages: Listed[][] = []
  for (let cursor = ''; ; ) {
    const answer = await tenant.call(
      'GET',
      `/api/v1/events?limit=100${query}${cursor}`,
      undefined,
      headers,
    )
    requireShape('listEvents', answer)
    pages.push(answer.body.data as Listed[])
    if (!answer.body.pagination.hasMore) return pages
    cursor = `&cursor=${answer.body.pagination.cursor}`
  }
}

const numbered = async (where: string): Promise<string[]> => {
  const { rows } = await ingest.pool.query<{ id: string }>(
    `SELECT id FROM events WHERE tenant_id = $1 AND ${where} ORDER BY id DESC`,
    [tenant.tenantId],
  )
  return rows.map(({ id }) => id)
}

describe('rare events among many are found in one page', () => {
  test.each([
    ['a type', '&eventType=order.rare', 3],
    ['a destination', '&destination=https%3A%2F%2Fexample.com%2Frare', 2],
    ['an endpoint', `&endpointId=${endpoints[1]}`, 10],
    ['a type that nobody sent', '&eventType=order.none', 0],
    ['an endpoint that nothing was for', `&endpointId=${newId()}`, 0],
    ['a type and a status', '&eventType=order.rare&status=dead', 1],
  ])('%s', async (_, query, count) => {
    const pages = await readAll(query)
    expect(pages.map((page) => page.length)).toEqual([count])
  })

  test('a project', async () => {
    const pages = await readAll('', { 'X-Project-ID': projects[1] as string })
    expect(pages.map((page) => page.map(({ projectId }) => projectId))).toEqual([
      [projects[1], projects[1]],
    ])
  })
})

test('pages are full up to the last, and have each event once, newest first', async () => {
  const pages = await readAll('&status=dead&eventType=order.paid')
  const expected = await numbered(`${HAS_STATUS.dead} AND event_type = 'order.paid'`)
  expect(pages.flat().map(({ id }) => id)).toEqual(expected)
  expect(pages.slice(0, -1).every((page) => page.length === 100)).toBe(true)
})

test('`from` is inclusive and `to` exclusive', async () => {
  const some = await numbered('dead_count > 0')
  const [newest, oldest] = [some[3] as string, some[9] as string]
  const at = (id: string) => encodeURIComponent(new Date(timeOfId(id)).toISOString())
  const [page] = await readAll(`&status=dead&from=${at(oldest)}&to=${at(newest)}`)
  expect(page?.map(({ id }) => id)).toEqual(some.slice(4, 10))
})

test.each([
  ['endpointId=nonsense', 'endpointId'],
  ['from=yesterday', 'from'],
  ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
  ['eventType=a%20b', 'eventType'],
  ['cursor=nonsense', 'cursor'],
])('%s is 400 naming %s', async (query, path) => {
  expect(await tenant.call('GET', `/api/v1/events?${query}`)).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST', details: [{ path }] },
  })
})

const filters = fc.record<EventFilter>({
  tenantId: fc.constant(''),
  projectId: fc.nat(2).map((n) => projects[n] ?? null),
  status: fc.option(fc.constantFrom(...EVENT_STATUSES), { nil: undefined }),
  eventType: fc.option(fc.constantFrom('order.paid', 'order.rare', 'x'), { nil: undefined }),
  endpointId: fc.option(fc.constantFrom(...endpoints), { nil: undefined }),
  destination: fc.option(fc.constantFrom('https://example.com/rare', 'https://example.com/1'), {
    nil: undefined,
  }),
})

test('any combination of filters finds what matches all of them', async () => {
  const findEvents = createFindEvents({ pool: ingest.pool, now: () => 0 })
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 1, max: 101 }), async (drawn, limit) => {
      const filter = { ...drawn, tenantId: tenant.tenantId }
      const { ids, stoppedAt } = await findEvents(filter, limit)
      const { rows } = await ingest.pool.query<{ id: string }>(
        `SELECT id FROM events e WHERE tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2)
           AND ($3::text IS NULL OR event_type = $3) AND ($4::text IS NULL OR destination = $4)
           AND ($5::uuid IS NULL OR EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id
             AND d.endpoint_id = $5))
           AND ${filter.status === undefined ? 'true' : HAS_STATUS[filter.status]}
           ORDER BY id DESC LIMIT $6`,
        [
          filter.tenantId,
          filter.projectId,
          filter.eventType ?? null,
          filter.destination ?? null,
          filter.endpointId ?? null,
          limit,
        ],
      )
      expect(ids).toEqual(rows.map(({ id }) => id))
      expect(stoppedAt).toBeNull()
    }),
    { numRuns: 60 },
  )
}, 60_000)

test('a search that finds nothing for two seconds says where to go on, and ends there', async () => {
  // The clock advances by three seconds each time it is read, so a page is one step.
  let seconds = 0
  const findEvents = createFindEvents({ pool: ingest.pool, now: () => (seconds += 3) * 1_000 })
  const rest = { tenantId: tenant.tenantId, projectId: null, status: 'delivered' } as const
  const filter = { ...rest, endpointId: endpoints[0], eventType: 'order.none' }
  const stops: string[] = []
  for (let beforeId: string | undefined; ; beforeId = stops.at(-1)) {
    const { ids, stoppedAt } = await findEvents({ ...filter, beforeId }, 10)
    expect(ids).toEqual([])
    if (stoppedAt === null) break
    stops.push(stoppedAt)
  }
  expect(stops.length).toBeGreaterThan(1)
  expect(stops).toEqual(stops.toSorted().toReversed())
})

/** Pages of 8 KiB that a list of 100 may read, of the some 2,000 that hold all events. */
const MAX_PAGES = 1_200

test.each<[string, Partial<EventFilter>]>([
  ['a type', { eventType: 'order.rare' }],
  ['a common type', { eventType: 'order.paid' }],
  ['a destination', { destination: 'https://example.com/rare' }],
  ['an endpoint', { endpointId: endpoints[1] }],
  ['the dead', { status: 'dead' }],
  ['the failed', { status: 'failed' }],
  ['the dead of a rare type', { status: 'dead', eventType: 'order.rare' }],
  ['everything', {}],
])('%s is read from an index', async (_, filter) => {
  const { pool, pages } = countingPages(ingest.pool)
  const findEvents = createFindEvents({ pool, now: () => 0 })
  await findEvents({ tenantId: tenant.tenantId, projectId: null, ...filter }, 100)
  expect(await pages()).toBeLessThan(MAX_PAGES)
})

/** A pool that runs each statement a second time, to count the pages that it reads. */
function countingPages(pool: Pool): { pool: Pool; pages(): Promise<number> } {
  const run: [string, unknown[]][] = []
  const query = async (text: string | { text: string; values: unknown[] }, values: unknown[]) => {
    if (typeof text === 'string') run.push([text, values])
    else run.push([text.text, text.values])
    return await pool.query(text as string, values)
  }
  return {
    pool: { query } as unknown as Pool,
    async pages() {
      let count = 0
      for (const [text, values] of run) {
        const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        )
        const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
        count += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
      }
      return count
    },
  }
}
