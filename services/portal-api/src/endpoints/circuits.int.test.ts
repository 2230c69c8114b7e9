/**
 * Circuits in endpoints' records, how they are closed on request, and the operational event about a
 * change.
 */
import { expect, test } from '@jest/globals'
import { relayOperationalEvents } from '@posthorn/store/pipeline/operational-events'
import { eventually } from '@posthorn/testing/eventually'
import { type Json, portal, tenant, usePortal } from '../portal.fixture.ts'

usePortal()

async function create(fields: object = {}): Promise<Json> {
  const body = { url: 'https://shop.example/hook', eventTypes: ['order.*'], ...fields }
  const answer = await tenant.call('POST', '/endpoints', body)
  expect(answer.status).toBe(201)
  return answer.body
}

async function open(endpointId: string, resetMs = 60_000): Promise<void> {
  const report = { signal: 'failure', isProbe: false, durationMs: 0 } as const
  await portal.state.reportCircuit(endpointId, report, { threshold: 1, resetMs })
}

async function stateOf(endpointId: string): Promise<string> {
  return (await tenant.call('GET', `/endpoints/${endpointId}`)).body.circuitState
}

/** The endpoint's backlog, as a dispatcher leaves it while it waits for the reset. */
async function waiting(endpointId: string): Promise<void> {
  await portal.pool.query(
    `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
     VALUES ($1, $2, 2, now() + interval '1 hour', false, $2)`,
    [tenant.tenantId, endpointId],
  )
}

async function isDue(endpointId: string): Promise<boolean> {
  const { rows } = await portal.pool.query('SELECT due_at <= now() AS due FROM due WHERE id = $1', [
    endpointId,
  ])
  return rows[0].due
}

async function operationalEvents(): Promise<Json[]> {
  await relayOperationalEvents(portal.pool, 100)
  const { rows } = await portal.pool.query(
    `SELECT event_type, payload FROM events WHERE tenant_id = $1 ORDER BY seq`,
    [tenant.tenantId],
  )
  return rows.map(({ event_type: type, payload }) => ({ type, ...JSON.parse(payload) }))
}

test('every answer that shows an endpoint shows its circuit', async () => {
  const { id, circuitState } = await create()
  const half = await create()
  const closed = await create()
  expect(circuitState).toBe('closed')
  await open(id)
  await open(half.id, 0)
  expect(await stateOf(id)).toBe('open')
  expect(await stateOf(half.id)).toBe('half_open')
  const { data } = (await tenant.call('GET', '/endpoints')).body
  const shown = data.map((one: Json) => [one.id, one.circuitState])
  expect(shown).toEqual([
    [closed.id, 'closed'],
    [half.id, 'half_open'],
    [id, 'open'],
  ])
  for (const [method, path, body] of [
    ['PATCH', `/endpoints/${id}`, { description: 'x' }],
    ['POST', `/endpoints/${id}/versions/1/rollback`],
    ['POST', `/endpoints/${id}/pause`],
    ['POST', `/endpoints/${id}/rotate-secret`, {}],
  ] as const) {
    const answer = await tenant.call(method, path, body)
    expect([path, answer.body.circuitState]).toEqual([path, 'open'])
  }
})

test('a resume closes it and wakes what waits', async () => {
  const { id } = await create()
  await open(id)
  await waiting(id)
  const resumed = await tenant.call('POST', `/endpoints/${id}/resume`)
  expect(resumed).toMatchObject({ status: 200, body: { circuitState: 'closed' } })
  expect(await isDue(id)).toBe(true)
})

test.each([
  [{ url: 'https://new.example/hook' }, 'closed'],
  [{ circuitThreshold: 9 }, 'closed'],
  [{ circuitResetMs: 5_000 }, 'closed'],
  [{ timeoutMs: 5_000 }, 'open'],
])('after a change to %j it is %s', async (change, state) => {
  const { id } = await create()
  await open(id)
  await waiting(id)
  const changed = await tenant.call('PATCH', `/endpoints/${id}`, change)
  expect(changed).toMatchObject({ status: 200, body: { circuitState: state } })
  expect(await isDue(id)).toBe(state === 'closed')
})

test('a new version, and a circuit closed on request, make operational events for subscribers', async () => {
  const { id } = await create()
  await tenant.call('PATCH', `/endpoints/${id}`, { description: 'nobody listens' })
  expect(await operationalEvents()).toEqual([])
  await create({ eventTypes: ['service.endpoint.*'] })
  await open(id)
  await tenant.call('PATCH', `/endpoints/${id}`, { description: 'x', timeoutMs: 5_000 })
  await tenant.call('PATCH', `/endpoints/${id}`, { description: 'x' })
  await tenant.call('POST', `/endpoints/${id}/pause`)
  await tenant.call('POST', `/endpoints/${id}/resume`)
  await tenant.call('POST', `/endpoints/${id}/versions/1/rollback`)
  const about = { endpointId: id, projectId: tenant.projectId, at: expect.any(String) }
  expect(await operationalEvents()).toEqual([
    {
      type: 'service.endpoint.updated',
      ...about,
      version: 3,
      changes: ['description', 'timeoutMs'],
    },
    {
      type: 'service.endpoint.circuit_closed',
      ...about,
      url: 'https://shop.example/hook',
      circuitState: 'closed',
      openedAt: expect.any(String),
    },
    {
      type: 'service.endpoint.updated',
      ...about,
      version: 4,
      changes: ['description', 'timeoutMs'],
    },
  ])
})

test('an operational event goes to no other project', async () => {
  const { id } = await create()
  const project = await tenant.call('POST', '/projects', {
    name: 'Other',
    environment: 'production',
  })
  const headers = { 'X-Project-ID': project.body.id }
  const body = { url: 'https://shop.example/hook', eventTypes: ['service.*'] }
  expect((await tenant.call('POST', '/endpoints', body, headers)).status).toBe(201)
  await tenant.call('PATCH', `/endpoints/${id}`, { description: 'x' })
  expect(await operationalEvents()).toEqual([])
})

test('the retry-scheduler hears that something is due', async () => {
  const { id } = await create()
  await waiting(id)
  const heard: unknown[] = []
  const reader = await portal.bus.subscribe({
    group: 'retry-scheduler',
    topics: ['due.soon'],
    maxInFlight: 10,
    onMessages: (_topic, messages) => {
      for (const { value, done } of messages) {
        heard.push(value)
        done()
      }
    },
  })
  await tenant.call('POST', `/endpoints/${id}/pause`)
  expect(heard).toEqual([])
  await tenant.call('POST', `/endpoints/${id}/resume`)
  expect(await isDue(id)).toBe(true)
  await eventually(() => heard.length > 0)
  await reader.stop()
})
