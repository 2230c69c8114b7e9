import { expect, test } from '@jest/globals'
import { idAt, newId } from '@posthorn/domain/ids'
import { type Json, other, portal, tenant, usePortal } from '../portal.fixture.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

usePortal()

let made = 0
function idOf(at: number): string {
  made += 1
  return idAt(at).slice(0, -12) + made.toString(16).padStart(12, '0')
}

interface Given {
  at?: number
  eventId?: string
  projectId?: string
  endpointId?: string | null
  endpointVersion?: number | null
  eventType?: string | null
  attemptNumber?: number
  statusCode?: number
  error?: string
}

async function addAttempt(given: Given = {}, of = tenant): Promise<string> {
  const id = idOf(given.at ?? Date.now())
  const eventId = given.eventId ?? newId()
  await portal.pool.query(
    `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, endpoint_id,
      endpoint_version, event_type,
      url, attempt_number, status_code, error, duration_ms, overhead_us, response_body,
        response_headers)
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7, 'https://a.example/', $8, $9, $10, 12, 345, 'body',
       $11)`,
    [
      of.tenantId,
      id,
      given.projectId ?? of.projectId,
      eventId,
      given.endpointId ?? null,
      given.endpointVersion ?? null,
      given.eventType ?? null,
      given.attemptNumber ?? 1,
      given.statusCode ?? 200,
      given.error ?? '',
      given.error === undefined ? null : '{"Server":"x"}',
    ],
  )
  return id
}

async function addEvent(headers: object | null = null, of = tenant): Promise<string> {
  const id = newId()
  await portal.pool.query(
    `INSERT INTO events (tenant_id, id, project_id, idempotency_key, destination, payload, headers,
      priority, trace_id)
     VALUES ($1, $2, $3, 'k', 'https://a.example/', '{}', $4, 5, 'trace-1')`,
    [of.tenantId, id, of.projectId, headers === null ? null : JSON.stringify(headers)],
  )
  return id
}

async function list(query: string, headers?: Record<string, string>): Promise<Json> {
  const answer = await tenant.call('GET', `/deliveries?${query}`, undefined, headers)
  expect(answer.status).toBe(200)
  return answer.body
}

async function listed(query: string, headers?: Record<string, string>): Promise<string[]> {
  return (await list(query, headers)).data.map((row: Json) => row.id)
}

test('an attempt has every field, in the list, by its event and by its id', async () => {
  const at = Date.now() - MINUTE_MS
  const eventId = await addEvent()
  const id = await addAttempt({ at, eventId, error: 'http_5xx: status 500', statusCode: 500 })
  const attempt = {
    id,
    eventId,
    deliveryId: eventId,
    endpointId: null,
    endpointVersion: null,
    eventType: null,
    url: 'https://a.example/',
    attemptNumber: 1,
    statusCode: 500,
    responseBody: 'body',
    responseHeaders: { Server: 'x' },
    requestBody: null,
    error: 'http_5xx: status 500',
    durationMs: 12,
    processingOverheadUs: 345,
    attemptedAt: new Date(at).toISOString(),
    nextAttemptAt: null,
  }
  expect(await list('')).toEqual({
    data: [attempt],
    pagination: { limit: 50, offset: 0, total: 1, hasMore: false },
  })
  const ofEvent = await tenant.call('GET', `/events/${eventId}/deliveries`)
  const pagination = { hasMore: false, cursor: null }
  expect(ofEvent.body).toEqual({ deliveries: [attempt], count: 1, pagination })
  const one = await tenant.call('GET', `/deliveries/${id}`)
  expect(one.body).toEqual({ ...attempt, requestHeaders: expect.any(Object) })
})

test('the list is of the last day, of a range, or between two instants', async () => {
  const now = Date.now()
  const [old, middle, recent] = [
    await addAttempt({ at: now - 20 * HOUR_MS }),
    await addAttempt({ at: now - 30 * MINUTE_MS }),
    await addAttempt({ at: now - MINUTE_MS }),
  ]
  const iso = (ms: number): string => new Date(ms).toISOString()
  expect(await listed('')).toEqual([recent, middle, old])
  expect(await listed('range=1h')).toEqual([recent, middle])
  expect(await listed('range=30d')).toEqual([recent, middle, old])
  expect(await listed(`start=${iso(now - HOUR_MS)}&end=${iso(now - 10 * MINUTE_MS)}`)).toEqual([
    middle,
  ])
  expect(
    await listed(`range=1h&start=${iso(now - 21 * HOUR_MS)}&end=${iso(now - HOUR_MS)}`),
  ).toEqual([old])
  expect(await listed(`start=${iso(now - 10 * MINUTE_MS)}`)).toEqual([recent])
  expect(await listed(`range=1h&end=${iso(now - 10 * MINUTE_MS)}`)).toEqual([middle])
  expect(await listed(`start=${iso(now)}&end=${iso(now)}`)).toEqual([])
})

test('filters narrow it, each alone and together', async () => {
  const endpointId = newId()
  const success = await addAttempt({ endpointId, eventType: 'a.b' })
  const failure = await addAttempt({ endpointId, error: 'http_4xx: status 404', statusCode: 404 })
  const timeout = await addAttempt({ eventType: 'a.b', error: 'timeout: no answer', statusCode: 0 })
  expect(await listed('outcome=success')).toEqual([success])
  expect(await listed('outcome=failure')).toEqual([failure])
  expect(await listed('outcome=timeout')).toEqual([timeout])
  expect(await listed(`endpoint_id=${endpointId}`)).toEqual([failure, success])
  expect(await listed('event_type=a.b')).toEqual([timeout, success])
  expect(
    await listed(`endpoint_id=${endpointId.toUpperCase()}&event_type=a.b&outcome=success`),
  ).toEqual([success])
  expect(await listed(`endpoint_id=${newId()}`)).toEqual([])
})

test('pages are by limit and offset, with an exact total', async () => {
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.unshift(await addAttempt())
  const first = await list('limit=2')
  expect(first.data.map((row: Json) => row.id)).toEqual(ids.slice(0, 2))
  expect(first.pagination).toEqual({ limit: 2, offset: 0, total: 5, hasMore: true })
  expect((await list('limit=2&offset=4')).pagination).toEqual({
    limit: 2,
    offset: 4,
    total: 5,
    hasMore: false,
  })
  expect((await list('limit=2&offset=3')).pagination).toEqual({
    limit: 2,
    offset: 3,
    total: 5,
    hasMore: false,
  })
  expect(await list('offset=9')).toEqual({
    data: [],
    pagination: { limit: 50, offset: 9, total: 5, hasMore: false },
  })
})

test('the total stops at 10,000, and hasMore still says that there is more', async () => {
  await portal.pool.query(
    `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url, attempt_number,
      status_code, error,
      duration_ms, overhead_us, response_body)
     SELECT $1, ($2 || lpad(to_hex(n), 12, '0'))::uuid, $3, $3, $3, 'https://a.example/', 1, 200,
       '', 1, 1, ''
     FROM generate_series(1, 10051) n`,
    [tenant.tenantId, idAt(Date.now()).slice(0, -12), tenant.projectId],
  )
  expect((await list('limit=1')).pagination).toEqual({
    limit: 1,
    offset: 0,
    total: 10_000,
    hasMore: true,
  })
  expect((await list('offset=10000')).pagination).toEqual({
    limit: 50,
    offset: 10_000,
    total: 10_000,
    hasMore: true,
  })
  expect((await list('limit=200&offset=10000')).pagination).toMatchObject({
    total: 10_000,
    hasMore: false,
  })
})

test.each([
  ['limit=0', 'limit'],
  ['limit=201', 'limit'],
  ['offset=10001', 'offset'],
  ['offset=-1', 'offset'],
  ['range=2h', 'range'],
  ['outcome=maybe', 'outcome'],
  ['endpoint_id=abc', 'endpoint_id'],
  ['event_type=a%20b', 'event_type'],
  ['start=yesterday', 'start'],
  ['start=2026-02-02T00:00:00Z&end=2026-02-01T00:00:00Z', 'start'],
])('%s is refused, and the field named', async (query, path) => {
  const answer = await tenant.call('GET', `/deliveries?${query}`)
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', details: [{ path }] } })
})

test("an event's attempts are in the order in which they were made", async () => {
  const eventId = await addEvent()
  const at = Date.now()
  const second = await addAttempt({ eventId, at: at + 2_000, attemptNumber: 2 })
  const first = await addAttempt({ eventId, at: at + 1_000, error: 'refused: x', statusCode: 0 })
  await addAttempt()
  const { body } = await tenant.call('GET', `/events/${eventId}/deliveries`)
  expect(body.deliveries.map((row: Json) => row.id)).toEqual([first, second])
  expect(body.count).toBe(2)
  expect((await tenant.call('GET', `/events/${await addEvent()}/deliveries`)).body).toEqual({
    deliveries: [],
    count: 0,
    pagination: { hasMore: false, cursor: null },
  })
})

/** Writes attempts of one event, a millisecond apart, in one statement. */
async function addMany(eventId: string, count: number, bodyBytes: number): Promise<void> {
  await portal.pool.query(
    `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url, attempt_number,
      status_code, error,
      duration_ms, overhead_us, response_body)
     SELECT $1, id, $2, $3, $3, 'https://a.example/', n, 500, 'http_5xx: 500', 1, 1, repeat('x', $5)
     FROM unnest($4::uuid[]) WITH ORDINALITY AS i (id, n)`,
    [
      tenant.tenantId,
      tenant.projectId,
      eventId,
      Array.from({ length: count }, (_, n) => idOf(Date.now() + n)),
      bodyBytes,
    ],
  )
}

async function readPages(
  eventId: string,
  query: string,
): Promise<{ numbers: number[]; lengths: number[] }> {
  const [numbers, lengths]: number[][] = [[], []]
  for (let cursor = ''; ; ) {
    const { body } = await tenant.call('GET', `/events/${eventId}/deliveries?${query}${cursor}`)
    numbers!.push(...body.deliveries.map((row: Json) => row.attemptNumber))
    lengths!.push(body.deliveries.length)
    expect(body.count).toBe(1_205)
    if (!body.pagination.hasMore) return { numbers: numbers!, lengths: lengths! }
    cursor = `&cursor=${body.pagination.cursor}`
  }
}

test('all attempts of an event come, page by page, and no page is longer than its bytes allow', async () => {
  const inOrder = Array.from({ length: 1_205 }, (_, n) => n + 1)
  const small = await addEvent()
  await addMany(small, 1_205, 10)
  expect(await readPages(small, '')).toEqual({ numbers: inOrder, lengths: [1_000, 205] })
  expect((await readPages(small, 'limit=600')).lengths).toEqual([600, 600, 5])
  const large = await addEvent()
  await addMany(large, 1_205, 20 * 1_024)
  const pages = await readPages(large, '')
  expect(pages.numbers).toEqual(inOrder)
  expect(Math.max(...pages.lengths)).toBeLessThanOrEqual(205)
  const bad = await tenant.call('GET', `/events/${small}/deliveries?limit=1001`)
  expect(bad).toMatchObject({ status: 400, body: { details: [{ path: 'limit' }] } })
})

test('the headers of an attempt are those of its version then, with secrets masked', async () => {
  const created = await tenant.call('POST', '/endpoints', {
    url: 'https://a.example/',
    eventTypes: ['*'],
    customHeaders: { 'X-Shop': 'one', Authorization: 'Bearer abc' },
  })
  const endpointId = created.body.id
  await tenant.call('PATCH', `/endpoints/${endpointId}`, { customHeaders: { 'X-Shop': 'two' } })
  const eventId = await addEvent({ 'X-Event': '1', 'X-Token': 'abc' })
  const id = await addAttempt({
    eventId,
    endpointId,
    endpointVersion: 1,
    eventType: 'a.b',
    attemptNumber: 3,
  })
  const { body } = await tenant.call('GET', `/deliveries/${id}`)
  expect(body).toMatchObject({ endpointId, endpointVersion: 1 })
  expect(body.requestHeaders).toEqual({
    'Content-Type': 'application/json',
    'X-Shop': 'one',
    Authorization: '***',
    'X-Event': '1',
    'X-Token': '***',
    'User-Agent': 'Posthorn/9.9.9',
    'X-Service-Event-ID': eventId,
    'X-Service-Delivery-ID': eventId,
    'X-Service-Attempt': '3',
    'X-Service-Event-Type': 'a.b',
    'X-Service-Timestamp': expect.stringMatching(/^\d{10}$/),
    'X-Service-Signature': '***',
    'X-Service-Trace-Id': 'trace-1',
    'webhook-id': eventId,
    'webhook-timestamp': body.requestHeaders['X-Service-Timestamp'],
    'webhook-signature': '***',
  })
  await tenant.call('PATCH', `/endpoints/${endpointId}`, { signingSecret: 'not-a-standard-one' })
  const again = await tenant.call('GET', `/deliveries/${id}`)
  expect(again.body.requestHeaders).not.toHaveProperty('webhook-signature')
})

test('an attempt outlives its event and its endpoint', async () => {
  const id = await addAttempt({ endpointId: newId(), endpointVersion: 4 })
  const { status, body } = await tenant.call('GET', `/deliveries/${id}`)
  expect(status).toBe(200)
  expect(body.requestHeaders).not.toHaveProperty('X-Service-Trace-Id')
})

test('another tenant’s attempts, and another project’s, do not exist', async () => {
  const eventId = await addEvent()
  const endpointId = newId()
  const id = await addAttempt({ eventId, endpointId })
  const { body: project } = await tenant.call('POST', '/projects', { name: 'P' })
  const inProject = { 'X-Project-ID': project.id }
  const elsewhere = await addAttempt({ projectId: project.id })

  for (const path of [`/deliveries/${id}`, `/events/${eventId}/deliveries`]) {
    expect((await tenant.call('GET', path)).status).toBe(200)
    expect((await other.call('GET', path)).status).toBe(404)
    expect((await tenant.call('GET', path, undefined, inProject)).status).toBe(404)
  }
  for (const path of [
    `/deliveries/${newId()}`,
    `/events/${newId()}/deliveries`,
    '/deliveries/x',
    '/events/x/deliveries',
  ]) {
    expect((await tenant.call('GET', path)).status).toBe(404)
  }
  const ofOther = await other.call('GET', `/deliveries?endpoint_id=${endpointId}`)
  expect(ofOther.body).toMatchObject({ data: [], pagination: { total: 0 } })
  expect(await listed('')).toEqual([elsewhere, id])
  expect(await listed('', inProject)).toEqual([elsewhere])
})
