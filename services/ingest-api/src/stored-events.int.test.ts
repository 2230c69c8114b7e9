/** Reading, editing and replaying events over HTTP and a real Postgres. */
import { describe, expect, test } from '@jest/globals'
import { EVENT_STATUSES, eventStatus } from '@posthorn/domain/delivery-state'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { fanOut } from '@posthorn/store/pipeline/fan-out'
import { DAY_LOCK } from '@posthorn/store/pipeline/sql/partition-bounds'
import { HAS_STATUS } from './event-record.ts'
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

async function postDead(payload: unknown = { n: 1 }): Promise<string> {
  const { body } = await tenant.post({ destination: DIRECT.destination, payload })
  await setState(ingest.pool, body.id, 'dead')
  return body.id
}

describe('reading', () => {
  test('pages have each event once, newest first, and only the requested project’s', async () => {
    const other = await ingest.addProject(tenant.tenantId)
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.unshift((await tenant.post(DIRECT)).body.id)
    const elsewhere = await tenant.post(DIRECT, { 'X-Project-ID': other })
    const stranger = await ingest.addTenant()
    await stranger.post(DIRECT)

    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`
      const page = await tenant.call('GET', `/api/v1/events?${query}`, undefined, {
        'X-Project-ID': tenant.projectId,
      })
      requireShape('listEvents', page)
      seen.push(...page.body.data.map(({ id }: { id: string }) => id))
      expect(page.body.pagination.hasMore).toBe(page.body.pagination.cursor !== null)
      cursor = page.body.pagination.cursor
    }
    expect(seen).toEqual(ids)
    const all = await tenant.call('GET', '/api/v1/events')
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([elsewhere.body.id, ...ids])
  })

  test('an event of another tenant or project is not found, by any route', async () => {
    const { body } = await tenant.post(DIRECT)
    const stranger = await ingest.addTenant()
    const other = { 'X-Project-ID': await ingest.addProject(tenant.tenantId) }
    const path = `/api/v1/events/${body.id}`
    for (const [method, at, sent] of [
      ['GET', path],
      ['PATCH', path, { replay: true }],
      ['POST', `${path}/replay`],
    ] as const) {
      expect((await stranger.call(method, at, sent)).status).toBe(404)
      expect((await tenant.call(method, at, sent, other)).status).toBe(404)
    }
  })

  test('the detail has the attempts in their order', async () => {
    const { body } = await tenant.post({ ...DIRECT, headers: { a: 'b' } })
    const attempts = [newId(), newId()]
    for (const [n, id] of attempts.entries()) {
      await ingest.pool.query(
        `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url,
          attempt_number, status_code, error,
          duration_ms, overhead_us, response_body)
          VALUES ($1, $2, $3, $4, $4, $5, $6, 500, 'http_5xx: 500', 12, 90, '')`,
        [tenant.tenantId, id, tenant.projectId, body.id, DIRECT.destination, n + 1],
      )
    }
    const detail = await get(body.id)
    requireShape('getEvent', detail)
    expect(detail.body).toMatchObject({ payload: { n: 1 }, headers: { a: 'b' } })
    expect(detail.body.deliveryAttempts).toEqual(
      attempts.map((id, n) => ({
        id,
        attemptNumber: n + 1,
        statusCode: 500,
        durationMs: 12,
        attemptedAt: new Date(timeOfId(id)).toISOString(),
      })),
    )
    expect(detail.body.hasMoreAttempts).toBe(false)
  })

  test('the detail of an event with more than 1,000 attempts has the newest, and says so', async () => {
    const { body } = await tenant.post(DIRECT)
    const ids = Array.from({ length: 1_001 }, newId)
    await ingest.pool.query(
      `INSERT INTO attempts (tenant_id, id, project_id, event_id, delivery_id, url, attempt_number,
        status_code, error,
        duration_ms, overhead_us, response_body)
       SELECT $1, id, $2, $3, $3, '', n, 500, 'http_5xx: 500', 12, 90, ''
       FROM unnest($4::uuid[]) WITH ORDINALITY AS i (id, n)`,
      [tenant.tenantId, tenant.projectId, body.id, ids],
    )
    const detail = await get(body.id)
    requireShape('getEvent', detail)
    const shown = detail.body.deliveryAttempts.map(({ id }: { id: string }) => id)
    expect(shown).toEqual(ids.slice(1))
    expect(detail.body.hasMoreAttempts).toBe(true)
  })

  test('maxAttempts of an event by type is its sender’s, or else the largest of its endpoints’', async () => {
    const endpoint = async (maxRetries: number): Promise<string> => {
      const id = newId()
      await ingest.pool.query(
        `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
          VALUES ($1, $2, $3, 'active', 1, $4)`,
        [tenant.tenantId, id, tenant.projectId, JSON.stringify({ maxRetries })],
      )
      return id
    }
    const fewer = await endpoint(3)
    const more = await endpoint(7)
    const body = { eventType: 'order.paid', payload: {} }
    const sent = await Promise.all([
      tenant.post(body),
      tenant.post(body),
      tenant.post({ ...body, maxAttempts: 2 }),
      tenant.post(body),
      tenant.post(DIRECT),
    ])
    const [waiting, two, own, none, direct] = sent.map((answer) => answer.body.id as string)
    const deliveries = (ids: string[]) =>
      ids.map((endpointId) => ({ deliveryId: newId(), endpointId }))
    const { tenantId } = tenant
    await fanOut(ingest.pool, [
      { tenantId, eventId: two as string, deliveries: deliveries([fewer, more]) },
      { tenantId, eventId: own as string, deliveries: deliveries([more]) },
      { tenantId, eventId: none as string, deliveries: [] },
    ])
    const expected = [
      [waiting, 5],
      [two, 7],
      [own, 2],
      [none, 5],
      [direct, 5],
    ] as const
    expect(sent.map((answer) => answer.body.maxAttempts)).toEqual([5, 5, 2, 5, 5])
    const { data } = (await tenant.call('GET', '/api/v1/events')).body
    for (const [id, limit] of expected) {
      const detail = await tenant.call('GET', `/api/v1/events/${id}`)
      const listed = data.find((one: { id: string }) => one.id === id)
      expect([detail.body.maxAttempts, listed.maxAttempts]).toEqual([limit, limit])
    }
  })

  test('a status means the same in SQL as in the table of states, over all counts', async () => {
    const cases = []
    for (let bits = 0; bits < 32; bits += 1) {
      const [open, delivering, waiting, dead, fanned] = [1, 2, 4, 8, 16].map(
        (bit) => (bits & bit) / bit,
      )
      cases.push({ open, delivering, waiting, dead, fanned })
    }
    const statuses = EVENT_STATUSES.map((status) => `${HAS_STATUS[status]} AS "is_${status}"`)
    const { rows } = await ingest.pool.query(
      `SELECT open_count AS open, delivering_count AS delivering, waiting_count AS waiting,
        dead_count AS dead,
        fanned_out_at IS NOT NULL AS fanned, ${statuses.join(', ')}
      FROM (SELECT open AS open_count, delivering AS delivering_count, waiting AS waiting_count,
        dead AS dead_count,
        CASE WHEN fanned = 1 THEN now() END AS fanned_out_at
        FROM json_to_recordset($1)
          AS c (open int, delivering int, waiting int, dead int, fanned int)) events`,
      [JSON.stringify(cases)],
    )
    expect(rows).toHaveLength(32)
    for (const row of rows) {
      const holds = EVENT_STATUSES.filter((status) => row[`is_${status}`])
      expect({ ...row, holds }).toEqual({ ...row, holds: [eventStatus(row, row.fanned)] })
    }
  })

  test('the list filters by status', async () => {
    const ids: Record<string, string> = { queued: (await tenant.post(DIRECT)).body.id }
    for (const [status, state] of [
      ['failed', 'waiting'],
      ['dead', 'dead'],
      ['delivered', 'delivered'],
      ['delivering', 'delivering'],
    ] as const) {
      ids[status] = (await tenant.post(DIRECT)).body.id
      await setState(ingest.pool, ids[status] as string, state)
    }
    for (const status of EVENT_STATUSES) {
      const { body } = await tenant.call('GET', `/api/v1/events?status=${status}`)
      expect(body.data).toMatchObject([{ id: ids[status], status }])
    }
  })
})

describe('editing and replaying', () => {
  const edit = (id: string, body: unknown) => tenant.call('PATCH', `/api/v1/events/${id}`, body)

  test('an edit keeps the state; with replay the event is announced again and attempts start from 0', async () => {
    const id = await postDead()
    const edited = await edit(id, `{"payload":{"b":2.0, "a":1},"headers":{"x":"y"}}`)
    requireShape('editEvent', edited)
    expect(edited.text).toContain('"payload":{"b":2.0, "a":1}')
    expect(edited.body).toMatchObject({ status: 'dead', headers: { x: 'y' }, attempts: 1 })
    ingest.announced.length = 0
    const replayed = await edit(id, { destination: 'https://example.org/new', replay: true })
    expect(replayed).toMatchObject({
      status: 200,
      body: { status: 'queued', attempts: 0, destination: 'https://example.org/new' },
    })
    expect(ingest.announced).toMatchObject([
      {
        topic: 'delivery.due.normal',
        message: {
          eventId: id,
          payload: '{"b":2.0, "a":1}',
          destination: 'https://example.org/new',
          attempts: 1,
          attemptsBefore: 1,
        },
      },
    ])
  })

  test.each([
    [{}, 400, 'BAD_REQUEST'],
    [{ replay: false }, 400, 'BAD_REQUEST'],
    [{ destination: 'http://127.0.0.1/' }, 400, 'DESTINATION_BLOCKED'],
    [{ payload: [] }, 400, 'BAD_REQUEST'],
    [{ payload: { t: 'x'.repeat(PAYLOAD_LIMIT) } }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('%j', async (body, status, code) => {
    expect(await edit(await postDead(), body)).toMatchObject({ status, body: { code } })
  })

  test('the destination of an event by type is fixed', async () => {
    const { body } = await tenant.post({ eventType: 'a.b', payload: {} })
    expect(await edit(body.id, { destination: DIRECT.destination })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'destination' }] },
    })
  })

  test.each(['queued', 'delivering', 'delivered'] as const)(
    'an event that is %s is in the wrong state',
    async (status) => {
      const { body } = await tenant.post(DIRECT)
      if (status !== 'queued') await setState(ingest.pool, body.id, status)
      const wrong = { status: 409, body: { code: 'INVALID_STATE' } }
      expect(await edit(body.id, { payload: {} })).toMatchObject(wrong)
      expect(await edit(body.id, { replay: true })).toMatchObject(wrong)
      expect(await tenant.call('POST', `/api/v1/events/${body.id}/replay`)).toMatchObject(wrong)
    },
  )

  test('an event that has had all its attempts is refused with that reason', async () => {
    const id = await postDead()
    await ingest.pool.query('UPDATE deliveries SET tries = 30000 WHERE id = $1', [id])
    const replayed = await tenant.call('POST', `/api/v1/events/${id}/replay`)
    for (const answer of [replayed, await edit(id, { payload: {}, replay: true })]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
      expect(JSON.stringify(answer.body)).toContain('30,000 attempts')
    }
  })

  test('an event whose partition is being removed is refused, and replayed once it is not', async () => {
    const id = await postDead()
    const day = Math.floor(timeOfId(id) / 86_400_000)
    const retention = await ingest.pool.connect()
    await retention.query('SELECT pg_advisory_lock($1::int, $2::int)', [DAY_LOCK, day])
    const replayed = await tenant.call('POST', `/api/v1/events/${id}/replay`)
    for (const answer of [replayed, await edit(id, { replay: true })]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
      expect(JSON.stringify(answer.body)).toContain('being removed')
    }
    const batch = await tenant.call('POST', '/api/v1/events/batch/retry', { eventIds: [id] })
    expect(batch.body).toEqual({ retried: 0, skipped: 1, eventIds: [] })
    await retention.query('SELECT pg_advisory_unlock($1::int, $2::int)', [DAY_LOCK, day])
    retention.release()
    const again = await tenant.call('POST', `/api/v1/events/${id}/replay`)
    expect(again.status).toBe(200)
  })

  test('a replay answers the detail and is announced', async () => {
    const id = await postDead()
    ingest.announced.length = 0
    const answer = await tenant.call('POST', `/api/v1/events/${id}/replay`)
    requireShape('replayEvent', answer)
    expect(answer.body).toMatchObject({ id, status: 'queued', attempts: 0 })
    expect(ingest.announced.map(({ message }) => message.eventId)).toEqual([id])
  })
})
