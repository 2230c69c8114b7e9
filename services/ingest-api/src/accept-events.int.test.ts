/** Accepting events over HTTP and a real Postgres: the answers, the rows and the announcements. */
import { describe, expect, test } from '@jest/globals'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import {
  ingest,
  PAYLOAD_LIMIT,
  requireShape,
  setState,
  tenant,
  useIngest,
} from './ingest.fixture.ts'

const DIRECT = { destination: 'https://example.com/hook?x=1', payload: { n: 1 } }

useIngest()

const get = (id: string, who = tenant) => who.call('GET', `/api/v1/events/${id}`)

async function countEvents(): Promise<number> {
  const { rows } = await ingest.pool.query(
    'SELECT count(*)::int AS n FROM events WHERE tenant_id = $1',
    [tenant.tenantId],
  )
  return rows[0].n
}

describe('accepting', () => {
  test('a direct event is written with its delivery, and announced with all that an attempt needs', async () => {
    const headers = { 'X-Custom': 'a' }
    const answer = await tenant.post(
      { ...DIRECT, headers, maxAttempts: 99, priority: 2 },
      { 'X-Request-Id': 'trace' },
    )
    requireShape('createEvent', answer)
    const { id } = answer.body
    expect(answer.body).toMatchObject({
      destination: DIRECT.destination,
      eventType: null,
      status: 'queued',
      attempts: 0,
      maxAttempts: 25,
    })
    expect(answer.body.createdAt).toBe(new Date(timeOfId(id)).toISOString())
    expect(ingest.announced).toEqual([{ topic: 'delivery.due.high', message: expect.anything() }])
    expect(ingest.announced[0]?.message).toMatchObject({
      kind: 'delivery',
      tenantId: tenant.tenantId,
      projectId: tenant.projectId,
      eventId: id,
      deliveryId: id,
      destination: DIRECT.destination,
      payload: '{"n":1}',
      headers: JSON.stringify(headers),
      maxAttempts: 25,
      traceId: 'trace',
      attempts: 0,
    })
    const { rows } = await ingest.pool.query(
      'SELECT micros(due_at) AS token FROM due WHERE id = $1',
      [id],
    )
    expect(ingest.announced[0]?.message.token).toBe(rows[0].token)
    expect(ingest.accepted.at(-1)).toMatchObject({
      kind: 'direct',
      eventId: id,
      host: 'example.com',
      bytes: 7,
      traceId: 'trace',
    })
  })

  test('an event by type goes to fan-out; a delayed one is left to its time', async () => {
    const typed = await tenant.post({ eventType: 'order.paid', payload: {} })
    requireShape('createEvent', typed)
    expect(typed.body).toMatchObject({ maxAttempts: 5, priority: 5, destination: null })
    expect(ingest.announced.map(({ topic, message }) => [topic, message.eventId])).toEqual([
      ['event.accepted', typed.body.id],
    ])
    const delayed = await tenant.post({ ...DIRECT, delaySeconds: 60 })
    expect(ingest.announced).toHaveLength(1)
    const { body } = await get(delayed.body.id)
    expect(Date.parse(body.deliverAt) - Date.parse(body.createdAt)).toBeGreaterThan(59_000)
  })

  test('a large payload goes by reference', async () => {
    await tenant.post({ ...DIRECT, payload: { text: 'x'.repeat(40_000) } })
    expect(ingest.announced[0]?.message.payload).toBeNull()
  })

  test('the payload keeps its bytes: order, spelling of numbers, escapes, spaces, names of prototypes', async () => {
    const payload =
      '{ "b":1.0, "a" : 1e3,"big":12345678901234567890,"e":"\\u00e9\\ud800\\u0000é😀","__proto__":{"x":1},"1":2 }'
    const answer = await tenant.post(
      `{"payload":"not this one","destination":"${DIRECT.destination}","p\\u0061yload":${payload}}`,
    )
    expect(answer.status).toBe(201)
    expect(ingest.announced[0]?.message.payload).toBe(payload)
    const { text, body } = await get(answer.body.id)
    expect(text).toContain(`"payload":${payload}`)
    expect(body.id).toBe(answer.body.id)
  })

  test('256 KiB of payload are accepted, a byte more is 413', async () => {
    const sized = (bytes: number) => ({
      ...DIRECT,
      payload: { t: 'é'.repeat((bytes - 9) / 2) + 'x'.repeat((bytes - 8) % 2) },
    })
    const fits = { ...DIRECT, payload: { t: 'x'.repeat(PAYLOAD_LIMIT - 8) } }
    expect((await tenant.post(fits)).status).toBe(201)
    const over = { ...DIRECT, payload: { t: 'x'.repeat(PAYLOAD_LIMIT - 7) } }
    expect(await tenant.post(over)).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE' },
    })
    expect((await tenant.post(sized(PAYLOAD_LIMIT + 5))).status).toBe(413)
  })

  test.each([
    ['both', { ...DIRECT, eventType: 'a' }, 'destination'],
    ['neither', { payload: {} }, 'destination'],
    ['priority 0', { ...DIRECT, priority: 0 }, 'priority'],
    ['maxAttempts 0', { ...DIRECT, maxAttempts: 0 }, 'maxAttempts'],
    ['a year and a second', { ...DIRECT, delaySeconds: 31_536_001 }, 'delaySeconds'],
    ['a type with a space', { eventType: 'a b', payload: {} }, 'eventType'],
    ['ftp', { ...DIRECT, destination: 'ftp://example.com/' }, 'destination'],
    ['user-info', { ...DIRECT, destination: 'https://a:b@example.com/' }, 'destination'],
    [
      'a reserved header',
      { ...DIRECT, headers: { 'X-Service-Event-ID': 'x' } },
      'headers.X-Service-Event-ID',
    ],
    ['a header of two lines', { ...DIRECT, headers: { a: 'b\r\nc: d' } }, 'headers.a'],
  ])('%s is 400 naming the field', async (_name, body, path) => {
    const answer = await tenant.post(body)
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: [{ path }] },
    })
    expect(await countEvents()).toBe(0)
  })

  test.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'http://localhost/',
    'http://10.1.2.3/',
  ])('%s is refused at once', async (destination) => {
    expect(await tenant.post({ ...DIRECT, destination })).toMatchObject({
      status: 400,
      body: { code: 'DESTINATION_BLOCKED', details: [{ path: 'destination' }] },
    })
  })

  test.each([[undefined], [''], ['x'.repeat(256)], ['é']])(
    'idempotency key %j is 400',
    async (key) => {
      const headers: Record<string, string> = key === undefined ? {} : { 'X-Idempotency-Key': key }
      const answer = await tenant.call('POST', '/api/v1/events', DIRECT, headers)
      expect(answer).toMatchObject({
        status: 400,
        body: { details: [{ path: 'X-Idempotency-Key' }] },
      })
    },
  )

  test('of concurrent events with one key exactly one is accepted, and the others’ answers name it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tenant.post(DIRECT, { 'X-Idempotency-Key': 'k' })),
    )
    const [first, ...more] = answers.filter(({ status }) => status === 201)
    expect(more).toEqual([])
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', details: { eventId: first?.body.id } },
      })
    }
    expect(await countEvents()).toBe(1)
    const stranger = await ingest.addTenant()
    expect((await stranger.post(DIRECT, { 'X-Idempotency-Key': 'k' })).status).toBe(201)
  })
})

describe("an event type's schema", () => {
  const schema = {
    type: 'object',
    required: ['orderId'],
    properties: { orderId: { pattern: '^o_' } },
  }

  async function saveType(projectId: string, changed: object | null): Promise<void> {
    await ingest.pool.query(
      `INSERT INTO event_types (tenant_id, id, project_id, name, schema)
        VALUES ($1, $2, $3, 'order.paid', $4)
        ON CONFLICT (tenant_id, project_id, name) DO UPDATE SET schema = excluded.schema`,
      [tenant.tenantId, newId(), projectId, changed === null ? null : JSON.stringify(changed)],
    )
    await ingest.pool.query(
      'UPDATE tenants SET config_version = config_version + 1 WHERE id = $1',
      [tenant.tenantId],
    )
  }
  const post = (payload: unknown, headers: Record<string, string> = {}) =>
    tenant.post({ eventType: 'order.paid', payload }, headers)

  test('refuses what does not match, in its project, on accepting and on editing', async () => {
    await saveType(tenant.projectId, schema)
    const refused = await post({ orderId: 'x' })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: [{ path: 'payload.orderId' }] },
    })
    const accepted = await post({ orderId: 'o_1' })
    expect(accepted.status).toBe(201)
    await setState(ingest.pool, accepted.body.id, 'dead')
    const edited = await tenant.call('PATCH', `/api/v1/events/${accepted.body.id}`, { payload: {} })
    expect(edited).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    const other = await ingest.addProject(tenant.tenantId)
    const project = { 'X-Project-ID': other }
    await eventually(async () => (await post({}, project)).status === 201)
    expect((await tenant.post({ eventType: 'order.other', payload: {} })).status).toBe(201)
  })

  test('a change takes effect within two seconds, and at once when announced', async () => {
    await saveType(tenant.projectId, null)
    expect((await post({})).status).toBe(201)
    await saveType(tenant.projectId, schema)
    const elapsedMs = startLoopTime()
    await eventually(async () => (await post({})).status === 400)
    expect(elapsedMs()).toBeLessThan(2_000)
    await saveType(tenant.projectId, null)
    ingest.announceChange(tenant.tenantId)
    expect((await post({})).status).toBe(201)
  })
})

describe('batches', () => {
  const item = (idempotencyKey: string, more: object = {}) => ({
    idempotencyKey,
    ...DIRECT,
    ...more,
  })
  const post = (events: unknown) => tenant.call('POST', '/api/v1/events/batch', { events })

  test('all are accepted, in order, each with its own bytes', async () => {
    const text = `{"events":[{"payload":{"a":1.0},"destination":"${DIRECT.destination}","idempotencyKey":"1"},
      {"idempotencyKey":"2","destination":"${DIRECT.destination}","payload":{"b" : [1, {"payload":2}]}, "priority": 5}]}`
    const answer = await tenant.call('POST', '/api/v1/events/batch', text)
    requireShape('createBatch', answer)
    expect(answer.body.count).toBe(2)
    expect(ingest.announced.map(({ message }) => message.payload)).toEqual([
      '{"a":1.0}',
      '{"b" : [1, {"payload":2}]}',
    ])
    expect(ingest.announced.map(({ message }) => message.eventId)).toEqual(
      answer.body.events.map(({ id }: { id: string }) => id),
    )
  })

  test.each([
    ['no events', [], 'VALIDATION_ERROR', ['events']],
    [
      'a missing field',
      [{ idempotencyKey: '1', payload: {} }],
      'VALIDATION_ERROR',
      ['events.0.destination'],
    ],
    ['a type', [item('1', { eventType: 'a' })], 'VALIDATION_ERROR', ['events.0.eventType']],
    ['a delay', [item('1', { delaySeconds: 1 })], 'VALIDATION_ERROR', ['events.0.delaySeconds']],
    ['a priority', [item('1', { priority: 1 })], 'VALIDATION_ERROR', ['events.0.priority']],
    [
      'a bad URL',
      [item('1'), item('2', { destination: 'mailto:a' })],
      'VALIDATION_ERROR',
      ['events.1.destination'],
    ],
    [
      'a blocked URL',
      [item('1'), item('2', { destination: 'http://127.0.0.1/' })],
      'DESTINATION_BLOCKED',
      ['events.1.destination'],
    ],
    [
      '101 events',
      Array.from({ length: 101 }, (_, n) => item(`${n}`)),
      'BATCH_TOO_LARGE',
      ['events'],
    ],
  ])('%s: 400 and nothing is written', async (_name, events, code, paths) => {
    const answer = await post(events)
    expect(answer).toMatchObject({
      status: 400,
      body: { code, details: paths.map((path) => ({ path })) },
    })
    expect(await countEvents()).toBe(0)
  })

  test('a broken body is BAD_REQUEST, a payload over the limit 413', async () => {
    expect(await tenant.call('POST', '/api/v1/events/batch', '{')).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
    const large = item('2', { payload: { t: 'x'.repeat(PAYLOAD_LIMIT) } })
    expect(await post([item('1'), large])).toMatchObject({
      status: 413,
      body: { details: [{ path: 'events.1.payload' }] },
    })
  })

  test('a key that is repeated, or used before, refuses the whole batch', async () => {
    expect(await post([item('1'), item('2'), item('1')])).toMatchObject({
      status: 409,
      body: {
        code: 'DUPLICATE_EVENT',
        details: [{ path: 'events.0.idempotencyKey' }, { path: 'events.2.idempotencyKey' }],
      },
    })
    expect((await post([item('b')])).status).toBe(201)
    const refused = await post([item('a'), item('b'), item('c')])
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'DUPLICATE_EVENT', details: [{ path: 'events.1.idempotencyKey' }] },
    })
    expect(await countEvents()).toBe(1)
    expect((await post([item('a'), item('c')])).status).toBe(201)
  })

  test('of two concurrent batches with a common key, one is accepted as a whole', async () => {
    const batch = (name: string) => [
      ...Array.from({ length: 50 }, (_, n) => item(`${name}${n}`)),
      item('both'),
    ]
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => post(batch(name))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(await countEvents()).toBe(51)
  })
})
