import { beforeEach, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { REPLAY_IDLE_CHECK_MS } from './run-replays.ts'
import { type Json, other, portal, tenant, usePortal } from '../portal.fixture.ts'

usePortal()
let id: string
beforeEach(async () => {
  const body = { url: 'https://shop.example/hook', eventTypes: ['order.*'] }
  id = (await tenant.call('POST', '/endpoints', body)).body.id
  portal.deliveries.length = 0
})

const SINCE = '2020-01-01T00:00:00Z'

/** Makes events for the endpoint whose deliveries have ended in these states. */
async function send(
  states: readonly ('dead' | 'waiting' | 'delivered' | 'queued')[],
): Promise<string[]> {
  const ids: string[] = []
  for (const state of states) {
    const eventId = (await tenant.call('POST', `/endpoints/${id}/test`)).body.id
    ids.push(eventId)
    if (state === 'queued') continue
    const code = { waiting: 2, delivered: 3, dead: 4 }[state]
    const open = state === 'waiting'
    await portal.pool.query(
      `WITH moved AS (UPDATE deliveries SET state = $2, tries = 1 WHERE event_id = $1)
      UPDATE events SET open_count = $3, waiting_count = $3, dead_count = $4, attempts = 1,
        ended_at = CASE WHEN $3 = 0 THEN now() END WHERE id = $1`,
      [eventId, code, open ? 1 : 0, state === 'dead' ? 1 : 0],
    )
  }
  portal.deliveries.length = 0
  return ids
}

async function replay(body: object = { since: SINCE }): Promise<Json> {
  return await tenant.call('POST', `/endpoints/${id}/replay`, body)
}

async function done(replayId: string): Promise<Json> {
  return await eventually(async () => {
    const { body } = await tenant.call('GET', `/replays/${replayId}`)
    if (body.status !== 'done') throw new Error(`still ${JSON.stringify(body)}`)
    return body
  })
}

/** A job is done when its last deliveries are queued again; they are announced right after. */
async function announced(ids: readonly (string | undefined)[]): Promise<void> {
  await eventually(() =>
    expect(portal.deliveries.map(({ eventId }) => eventId).sort()).toEqual(ids.toSorted()),
  )
}

test('is taken on, and then queues again what is dead or failed', async () => {
  const [dead, waiting] = await send(['dead', 'waiting', 'delivered', 'queued'])
  const begun = await replay()
  expect(begun).toMatchObject({
    status: 202,
    body: { status: 'running', total: 2, done: 0, endpointId: id, endedAt: null },
  })
  expect(await done(begun.body.id)).toMatchObject({
    ...begun.body,
    status: 'done',
    done: 2,
    endedAt: expect.any(String),
  })
  await announced([dead, waiting])
  const { rows } = await portal.pool.query(
    'SELECT attempts, open_count, dead_count, waiting_count FROM events WHERE id = $1',
    [dead],
  )
  expect(rows).toEqual([{ attempts: 0, open_count: 1, dead_count: 0, waiting_count: 0 }])
  expect(portal.lines).toContainEqual({
    name: 'replay.advanced',
    fields: expect.objectContaining({ replayId: begun.body.id, queued: 2, ended: true }),
  })
})

test.each([
  ['dead', [0]],
  [['failed'], [1]],
  [
    ['dead', 'failed', 'dead'],
    [0, 1],
  ],
] as const)('of the status %j', async (status, expected) => {
  const ids = await send(['dead', 'waiting'])
  const begun = await replay({ since: SINCE, status })
  expect(begun.body.total).toBe(expected.length)
  await done(begun.body.id)
  await announced(expected.map((index) => ids[index]))
})

test('of the time that is given', async () => {
  const [early] = await send(['dead'])
  const at = async (eventId: string | undefined): Promise<string> => {
    const { rows } = await portal.pool.query(`SELECT $1::uuid AS id`, [eventId])
    return new Date(Number.parseInt(rows[0].id.replaceAll('-', '').slice(0, 12), 16)).toISOString()
  }
  const until = await at(early)
  await eventually(() => Date.now() > Date.parse(until) + 1)
  const [late] = await send(['dead'])
  const first = await replay({ since: until, until })
  expect(first.body.total).toBe(1)
  await done(first.body.id)
  await announced([early])
  const second = await replay({ since: await at(late) })
  expect(second.body.total).toBe(1)
  await done(second.body.id)
  await announced([early, late])
})

test('begins at once, though nobody looks for jobs just then', async () => {
  await done((await replay()).body.id)
  const elapsedMs = startLoopTime()
  await done((await replay()).body.id)
  expect(elapsedMs()).toBeLessThan(REPLAY_IDLE_CHECK_MS / 2)
})

test('of nothing is done at once', async () => {
  const { body } = await replay()
  expect(await done(body.id)).toMatchObject({ total: 0, done: 0 })
})

test.each<[object, string]>([
  [{}, 'since'],
  [{ since: 'yesterday' }, 'since'],
  [{ since: SINCE, until: '2019-01-01T00:00:00Z' }, 'until'],
  [{ since: SINCE, status: 'delivered' }, 'status'],
  [{ since: SINCE, status: [] }, 'status'],
  [{ since: SINCE, limit: 1 }, 'limit'],
])('%j is refused', async (body, path) => {
  const refused = await replay(body)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path }] } })
})

test('another tenant’s, and another project’s, are not found', async () => {
  const { body } = await replay()
  expect((await other.call('GET', `/replays/${body.id}`)).status).toBe(404)
  expect((await other.call('POST', `/endpoints/${id}/replay`, { since: SINCE })).status).toBe(404)
  const project = await tenant.call('POST', '/projects', { name: 'P' })
  const elsewhere = { 'X-Project-ID': project.body.id }
  const read = await tenant.call('GET', `/replays/${body.id}`, undefined, elsewhere)
  expect(read.status).toBe(404)
  expect((await tenant.call('GET', '/replays/no-uuid')).status).toBe(404)
})
