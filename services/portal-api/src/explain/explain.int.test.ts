import { expect, test } from '@jest/globals'
import { idAt, newId } from '@posthorn/domain/ids'
import { acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import { fanOut } from '@posthorn/store/pipeline/fan-out'
import { parkDeliveries } from '@posthorn/store/pipeline/backlogs'
import { type AttemptRecord, recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { loadDueDeliveries } from '@posthorn/store/pipeline/load-due-deliveries'
import { type Json, other, portal, tenant, usePortal } from '../portal.fixture.ts'
import { MAX_ATTEMPTS_READ } from './read-facts.ts'

usePortal()

const minimal = { url: 'https://shop.example/hook', eventTypes: ['order.*'] }

async function create(body: object = {}, headers?: Record<string, string>): Promise<string> {
  const created = await tenant.call('POST', '/endpoints', { ...minimal, ...body }, headers)
  expect(created.status).toBe(201)
  return created.body.id
}

async function accept(more: Partial<NewEvent> = {}): Promise<NewEvent> {
  const id = newId()
  const event: NewEvent = {
    tenantId: tenant.tenantId,
    id,
    projectId: tenant.projectId,
    source: 'api',
    idempotencyKey: id,
    destination: null,
    targetId: null,
    eventType: 'order.paid',
    payload: '{"amount": 5, "lines": [{"sku": "a"}, {"sku": "b"}]}',
    headers: null,
    maxAttempts: null,
    priority: 5,
    traceId: 'trace',
    delaySeconds: 0,
    ...more,
  }
  await acceptEvents(portal.pool, [event])
  return event
}

/** Does what fan-out would do for these endpoints. */
async function deliverTo(event: NewEvent, endpoints: readonly string[]): Promise<Json[]> {
  const { tenantId } = tenant
  const deliveries = endpoints.map((endpointId) => ({ deliveryId: newId(), endpointId }))
  const tokens = await fanOut(portal.pool, [{ tenantId, eventId: event.id, deliveries }])
  const leased = [...tokens].flatMap(([id, token]) =>
    token === null ? [] : { tenantId, id, token },
  )
  const work = await loadDueDeliveries(portal.pool, leased)
  return deliveries.map(({ deliveryId }) => work.find((one) => one.deliveryId === deliveryId))
}

async function recordFirstAttempt(
  message: Json,
  error: string,
  next: AttemptRecord['next'],
): Promise<void> {
  const { tenantId, projectId, eventId, deliveryId, endpointId } = message
  await recordAttempts(portal.pool, [
    {
      tenantId,
      id: newId(),
      projectId,
      eventId,
      deliveryId,
      endpointId,
      endpointVersion: 1,
      eventType: 'order.paid',
      url: minimal.url,
      attemptNumber: 1,
      statusCode: 500,
      error,
      durationMs: 1,
      overheadUs: 1,
      responseBody: '',
      responseHeaders: null,
      requestBody: null,
      next,
    },
  ])
}

async function explain(eventId: string, headers?: Record<string, string>): Promise<Json> {
  const answer = await tenant.call('GET', `/events/${eventId}/explain`, undefined, headers)
  expect(answer.status).toBe(200)
  return answer.body
}

test('says for each endpoint why the event went there, or why not', async () => {
  const condition = { field: '$.lines[*].sku', operator: 'eq', value: 'c' }
  const gone = await create()
  await tenant.call('DELETE', `/endpoints/${gone}`)
  const project = (await tenant.call('POST', '/projects', { name: 'P' })).body.id
  const matching = await create({ description: 'ours' })
  const ofType = await create({ eventTypes: ['invoice.*', 'user.created'] })
  const filtered = await create({
    filter: [{ field: '$.amount', operator: 'gt', value: 1 }, condition],
  })
  const elsewhere = await create({}, { 'X-Project-ID': project })
  const deletedSince = await create()
  const event = await accept()
  await deliverTo(event, [matching])
  await tenant.call('DELETE', `/endpoints/${deletedSince}`)
  const late = await create()

  const { endpoints } = await explain(event.id)
  const explained = Object.fromEntries(
    endpoints.map(({ endpointId, ...rest }: Json) => [endpointId, rest]),
  )
  const none = {
    filter: null,
    deliveryId: null,
    description: null,
    url: minimal.url,
    status: 'active',
    matched: false,
  }
  expect(explained).toEqual({
    [matching]: {
      ...none,
      matched: true,
      reason: null,
      description: 'ours',
      deliveryId: expect.any(String),
    },
    [ofType]: { ...none, reason: 'type' },
    [filtered]: {
      ...none,
      reason: 'filter',
      filter: { condition, index: 1, found: ['a', 'b'], tooCostly: false },
    },
    [elsewhere]: { ...none, reason: 'project' },
    [deletedSince]: { ...none, status: 'deleted', reason: 'changed' },
    [late]: { ...none, reason: 'created_later' },
  })
  expect(endpoints[0].endpointId).toBe(matching)
  expect(Object.keys(explained)).not.toContain(gone)
  // A caller confined to a project learns nothing of other projects.
  const confined = await explain(event.id, { 'X-Project-ID': tenant.projectId })
  expect(confined.endpoints.map(({ endpointId }: Json) => endpointId)).not.toContain(elsewhere)
})

test('uses the configuration at the fan-out, whatever was changed since', async () => {
  const id = await create({ filter: [{ field: '$.amount', operator: 'gt', value: 9 }] })
  const event = await accept()
  await deliverTo(event, [])
  await tenant.call('PATCH', `/endpoints/${id}`, { filter: null, eventTypes: ['user.*'] })
  const { endpoints } = await explain(event.id)
  expect(endpoints).toMatchObject([{ reason: 'filter', filter: { index: 0, found: [5] } }])
})

test('of an event that is not fanned out yet, what will be', async () => {
  const [matching, not] = [await create(), await create({ eventTypes: ['user.*'] })]
  const event = await accept()
  expect(await explain(event.id)).toMatchObject({
    eventId: event.id,
    eventType: 'order.paid',
    destination: null,
    status: 'queued',
    fannedOutAt: null,
    waitsFor: { reason: 'fan_out', until: null },
    endpoints: [
      { endpointId: matching, matched: true, reason: null, deliveryId: null },
      { endpointId: not, matched: false, reason: 'type' },
    ],
    deliveries: [],
  })
  const delayed = await accept({ delaySeconds: 3_600 })
  const { waitsFor } = await explain(delayed.id)
  expect(waitsFor.reason).toBe('delay')
  expect(Math.abs(Date.parse(waitsFor.until) - Date.now() - 3_600_000)).toBeLessThan(10_000)
})

test('of a direct event, its one delivery', async () => {
  const destination = 'https://direct.example/hook'
  const event = await accept({ destination, targetId: newId(), eventType: null, delaySeconds: 60 })
  const explained = await explain(event.id)
  expect(explained).toMatchObject({
    eventType: null,
    destination,
    waitsFor: null,
    endpoints: [],
    deliveries: [
      {
        id: event.id,
        endpointId: null,
        state: 'queued',
        attempts: 0,
        maxAttempts: 5,
        waitsFor: { reason: 'delay', until: expect.any(String) },
        lastError: null,
        deadReason: null,
      },
    ],
  })
})

test('says for each delivery what it waits for, and how its last attempt ended', async () => {
  const ids = [await create({ maxRetries: 7 }), await create(), await create(), await create()]
  const event = await accept()
  const messages = await deliverTo(event, ids)
  const [failed, died, parked] = messages
  await recordFirstAttempt(failed, 'http_5xx: status 500', { state: 'waiting', afterMs: 60_000 })
  await recordFirstAttempt(died, 'dns: no such host', { state: 'dead', reason: 'attempts used up' })
  await parkDeliveries(portal.pool, [{ ...parked, targetId: ids[2] }])
  await tenant.call('POST', `/endpoints/${ids[2]}/pause`)

  const explained = await explain(event.id)
  expect(explained).toMatchObject({ status: 'failed', waitsFor: null })
  const byEndpoint = new Map(explained.deliveries.map((one: Json) => [one.endpointId, one]))
  const [first, second, third, fourth] = ids.map((id) => byEndpoint.get(id) as Json)
  expect(first).toMatchObject({
    state: 'waiting',
    attempts: 1,
    maxAttempts: 7,
    waitsFor: { reason: 'backoff' },
    lastError: 'http_5xx: status 500',
  })
  const waitMs = Date.parse(first.waitsFor.until) - Date.now()
  expect(Math.abs(waitMs - 60_000)).toBeLessThan(10_000)
  expect(second).toMatchObject({
    state: 'dead',
    waitsFor: null,
    lastError: 'dns: no such host',
    deadReason: 'attempts used up',
  })
  expect(third).toMatchObject({
    state: 'queued',
    attempts: 0,
    waitsFor: { reason: 'paused', until: null },
  })
  expect(fourth).toMatchObject({
    state: 'queued',
    waitsFor: { reason: 'in_flight' },
    lastError: null,
  })

  await tenant.call('POST', `/endpoints/${ids[2]}/resume`)
  const resumed = (await explain(event.id)).deliveries.find(
    (one: Json) => one.endpointId === ids[2],
  )
  expect(resumed.waitsFor.reason).toBe('overflow')
})

test('of a sample event, that it was for one endpoint', async () => {
  const [tested, not] = [
    await create({ eventTypes: ['user.*'] }),
    await create({ eventTypes: ['*'] }),
  ]
  const { id } = (await tenant.call('POST', `/endpoints/${tested}/test`)).body
  expect((await explain(id)).endpoints).toMatchObject([
    { endpointId: tested, matched: true, reason: null },
    { endpointId: not, matched: false, reason: 'test' },
  ])
})

test('of an event that names its endpoints, that others are none of them', async () => {
  const [named, not] = [await create({ eventTypes: ['user.*'] }), await create()]
  const event = await accept({ endpointIds: [named] })
  expect((await explain(event.id)).endpoints).toMatchObject([
    { endpointId: named, matched: true, reason: null },
    { endpointId: not, matched: false, reason: 'destination' },
  ])
})

test('of an endpoint in poll mode, that its consumer has to fetch it', async () => {
  const id = await create({ url: 'poll://mine', deliveryMode: 'poll' })
  const event = await accept()
  await deliverTo(event, [id])
  const waiting = async (): Promise<Json> => (await explain(event.id)).deliveries[0].waitsFor
  expect(await waiting()).toEqual({ reason: 'poll', until: null })
  await tenant.call('GET', `/poll?endpoint_id=${id}&timeout=1`)
  expect(await waiting()).toEqual({ reason: 'in_flight', until: expect.any(String) })
})

test('another tenant’s event, and another project’s, is not found', async () => {
  const event = await accept()
  expect((await other.call('GET', `/events/${event.id}/explain`)).status).toBe(404)
  const project = (await tenant.call('POST', '/projects', { name: 'P' })).body.id
  const elsewhere = { 'X-Project-ID': project }
  const answer = await tenant.call('GET', `/events/${event.id}/explain`, undefined, elsewhere)
  expect(answer.status).toBe(404)
  expect((await tenant.call('GET', `/events/${newId()}/explain`)).status).toBe(404)
})

test('an event whose id is of days after those of its delivery and its attempt', async () => {
  const endpointId = await create()
  const id = idAt(Date.now() + 3 * 86_400_000).slice(0, 14) + newId().slice(14)
  const [message] = await deliverTo(await accept({ id }), [endpointId])
  await recordFirstAttempt(message, 'http_5xx: 500', { state: 'dead', reason: 'attempts used up' })
  const { deliveries } = await explain(id)
  expect(deliveries).toMatchObject([
    { endpointId, state: 'dead', attempts: 1, lastError: 'http_5xx: 500' },
  ])
  const listed = await tenant.call('GET', `/events/${id}/deliveries`)
  expect(listed.body).toMatchObject({ count: 1, deliveries: [{ eventId: id }] })
})

/** Writes in one statement the rows that fan-out would write, which is quicker. */
async function addEndpoints(count: number, config: object): Promise<void> {
  await portal.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config, created_at)
     SELECT $1, gen_random_uuid(), $2, 'active', 1, $4::jsonb, now() - interval '1 hour'
     FROM generate_series(1, $3::int)`,
    [tenant.tenantId, tenant.projectId, count, JSON.stringify({ ...minimal, ...config })],
  )
}

test('of more endpoints than are explained, that there are more', async () => {
  const delivered = await create()
  await addEndpoints(999, { eventTypes: ['invoice.*'] })
  const event = await accept()
  await deliverTo(event, [delivered])
  const all = await explain(event.id)
  expect(all.endpoints).toHaveLength(1_000)
  expect(all).toMatchObject({ hasMoreEndpoints: false, hasMoreDeliveries: false })
  await addEndpoints(1, { eventTypes: ['invoice.*'] })
  const cut = await explain(event.id)
  expect(cut.endpoints).toHaveLength(1_000)
  expect(cut.endpoints[0]).toMatchObject({ endpointId: delivered, matched: true })
  expect(cut).toMatchObject({ hasMoreEndpoints: true, hasMoreDeliveries: false })
})

test('of endpoints with large filters, as many as fit', async () => {
  const delivered = await create()
  const values = Array.from({ length: 100 }, (_, n) => `${n}${'v'.repeat(990)}`)
  await addEndpoints(40, { filter: [{ field: '$.amount', operator: 'in', value: values }] })
  const event = await accept()
  await deliverTo(event, [delivered])
  const { endpoints, hasMoreEndpoints } = await explain(event.id)
  expect(hasMoreEndpoints).toBe(true)
  expect(endpoints[0]).toMatchObject({ endpointId: delivered, matched: true })
  expect(endpoints.length).toBeGreaterThan(10)
  expect(endpoints.length).toBeLessThan(30)
})

test('of more deliveries than are explained, that there are more', async () => {
  const endpointId = await create()
  const event = await accept()
  await deliverTo(event, Array(1_001).fill(endpointId))
  const { deliveries, hasMoreDeliveries } = await explain(event.id)
  expect(deliveries).toHaveLength(1_000)
  expect(hasMoreDeliveries).toBe(true)
})

test('looks for the last errors among the newest attempts of an event', async () => {
  const event = await accept()
  const [early, late] = await deliverTo(event, [await create(), await create()])
  const next: AttemptRecord['next'] = { state: 'waiting', afterMs: 60_000 }
  await recordFirstAttempt(early, 'an early error', next)
  await recordFirstAttempt(late, 'a late error', next)
  const lastErrors = async (): Promise<Map<string, string | null>> => {
    const { deliveries } = await explain(event.id)
    return new Map(deliveries.map(({ id, lastError }: Json) => [id, lastError]))
  }
  expect(await lastErrors()).toEqual(
    new Map([
      [early.deliveryId, 'an early error'],
      [late.deliveryId, 'a late error'],
    ]),
  )

  const ids = Array.from({ length: MAX_ATTEMPTS_READ }, () => newId())
  await portal.pool.query(
    `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url, attempt_number,
        status_code, error, duration_ms, overhead_us, response_body)
      SELECT $1, i.id, $2, $3, $4, '', 2, 500, 'error ' || i.n, 1, 1, ''
      FROM unnest($5::uuid[]) WITH ORDINALITY AS i (id, n)`,
    [tenant.tenantId, tenant.projectId, event.id, late.deliveryId, ids],
  )
  expect(await lastErrors()).toEqual(
    new Map([
      [early.deliveryId, null],
      [late.deliveryId, `error ${MAX_ATTEMPTS_READ}`],
    ]),
  )
})

test('concurrent requests are all answered', async () => {
  const endpointId = await create()
  const event = await accept()
  await deliverTo(event, [endpointId])
  const explained = await Promise.all(Array.from({ length: 12 }, () => explain(event.id)))
  expect(explained.every(({ deliveries }) => deliveries.length === 1)).toBe(true)
})
