/** What customers are told of their endpoints and events, and when they are told nothing. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { relayOperationalEvents } from '@posthorn/store/pipeline/operational-events'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { createRig, type Rig } from '../dispatcher.fixture.ts'

let rig: Rig
let receiver: Receiver
beforeEach(async () => {
  rig = await createRig()
  receiver = await startReceiver()
  await rig.start()
  await rig.start()
})
afterEach(async () => {
  await receiver.close()
  await rig.close()
})

interface OperationalEventRow {
  event_type: string
  payload: string
  project_id: string
}

/** What the scheduler has made of what was written. */
async function operationalEvents(): Promise<OperationalEventRow[]> {
  await relayOperationalEvents(rig.pool, 1_000)
  const { rows } = await rig.pool.query<OperationalEventRow>(
    `SELECT event_type, payload, project_id FROM events
     WHERE event_type LIKE 'service.%' ORDER BY seq`,
  )
  return rows
}

const types = async () => (await operationalEvents()).map((event) => event.event_type)

const subscribe = (eventTypes = ['service.*']) =>
  rig.addEndpoint({ url: `${receiver.url}/notices`, eventTypes, circuitThreshold: 0 })

const BREAKING = { circuitThreshold: 2, circuitResetMs: 1_000, maxRetries: 1 }

test('an opening and a closing are each told once, by whoever it happens to', async () => {
  await subscribe(['service.endpoint.*'])
  const endpointId = await rig.addEndpoint({ url: receiver.url, ...BREAKING })
  receiver.answer({ status: 500 })
  for (let n = 0; n < 6; n += 1) await rig.deliver({ endpointId })
  await eventually(async () => expect(await types()).toEqual(['service.endpoint.circuit_opened']))
  const [opened] = await operationalEvents()
  expect(opened!.project_id).toBe(rig.projectId)
  expect(JSON.parse(opened!.payload)).toEqual({
    endpointId,
    projectId: rig.projectId,
    url: receiver.url,
    circuitState: 'open',
    failures: 2,
    probeAt: expect.any(String),
    at: expect.any(String),
  })
  await rig.deliver({ endpointId })
  receiver.answer({ status: 200 })
  await eventually(async () => {
    await rig.sweep()
    expect(await types()).toEqual([
      'service.endpoint.circuit_opened',
      'service.endpoint.circuit_closed',
    ])
  })
  const { openedAt } = JSON.parse((await operationalEvents())[1]!.payload)
  expect(openedAt).toBe(JSON.parse(opened!.payload).at)
})

test('an endpoint that says 410 is told as disabled', async () => {
  await subscribe()
  const endpointId = await rig.addEndpoint({ url: receiver.url, circuitThreshold: 0 })
  receiver.answer({ status: 410 })
  rig.announce(await rig.accept(Array.from({ length: 5 }, () => ({ endpointId }))))
  await eventually(async () => expect(await types()).toContain('service.endpoint.disabled'))
  await eventually(async () => {
    const disabled = (await types()).filter((type) => type === 'service.event.dead')
    const dead = await rig.pool.query('SELECT FROM attempts')
    expect(disabled).toHaveLength(dead.rowCount ?? 0)
  })
  const disabled = (await operationalEvents()).filter(({ event_type: type }) =>
    type.endsWith('disabled'),
  )
  expect(disabled).toHaveLength(1)
  expect(JSON.parse(disabled[0]!.payload)).toMatchObject({
    endpointId,
    status: 'disabled',
    reason: 'answered 410 Gone',
    version: 1,
  })
})

test('an event is told as dead when it is, again after a replay, and an operational event never', async () => {
  const listener = await subscribe(['service.event.dead'])
  receiver.answer({ status: 500 })
  const direct = await rig.deliver({ destination: receiver.url, maxAttempts: 1 })
  await eventually(async () => expect(await types()).toEqual(['service.event.dead']))
  expect(JSON.parse((await operationalEvents())[0]!.payload)).toEqual({
    eventId: direct.eventId,
    projectId: rig.projectId,
    eventType: null,
    destination: receiver.url,
    attempts: 1,
    reason: 'attempts used up',
    at: expect.any(String),
  })
  // Its own delivery dies too: nobody is told of that, and the next death shows that somebody was
  // listening.
  const about = await rig.accept([
    { endpointId: listener, eventType: 'service.event.dead', maxAttempts: 1 },
  ])
  rig.announce(about)
  await eventually(async () => expect((await rig.states())[about[0]!.deliveryId]).toBe('dead'))
  await rig.deliver({ destination: receiver.url, maxAttempts: 1 })
  await eventually(async () => {
    const ids = (await operationalEvents()).map(({ payload }) => JSON.parse(payload).eventId)
    expect(ids.filter((id) => id !== undefined)).toHaveLength(2)
    expect(ids).not.toContain(about[0]!.eventId)
  })
})

test('deliveries that are given up kill their event: told', async () => {
  await subscribe()
  const endpointId = await rig.addEndpoint({ url: receiver.url })
  await rig.pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [endpointId])
  await rig.deliver({ endpointId })
  await eventually(async () => expect(await types()).toEqual(['service.event.dead']))
  expect(JSON.parse((await operationalEvents())[0]!.payload)).toMatchObject({
    reason: 'endpoint deleted',
  })
})

test('without a subscriber to just that, in the very project, none is made', async () => {
  const other = await subscribe(['*', 'service.endpoint.updated'])
  receiver.answer({ status: 500 })
  const slow = { ...BREAKING, circuitResetMs: 60_000 }
  const endpointId = await rig.addEndpoint({ url: receiver.url, ...slow })
  for (let n = 0; n < 4; n += 1) await rig.deliver({ endpointId })
  await eventually(() => expect(rig.lines.map(({ name }) => name)).toContain('circuit.opened'))
  // Each has ended with its one attempt, or waits for the circuit: none is under way, where it
  // might end later.
  await eventually(async () => {
    const dead = Object.values(await rig.states()).filter((state) => state === 'dead')
    expect(dead.length + (await rig.count('parked'))).toBe(4)
  })
  expect(await types()).toEqual([])
  // One that is told afterwards shows that the others were not.
  await rig.pool.query(
    `UPDATE endpoints SET config = jsonb_set(config, '{eventTypes}', '["service.event.dead"]')
     WHERE id = $1`,
    [other],
  )
  await rig.pool.query('UPDATE tenants SET config_version = config_version + 1')
  await eventually(async () => {
    await rig.deliver({ destination: receiver.url, maxAttempts: 1 })
    expect(await types()).not.toHaveLength(0)
  })
  expect(new Set(await types())).toEqual(new Set(['service.event.dead']))
  const ids = (await operationalEvents()).map(({ payload }) => JSON.parse(payload).destination)
  expect(new Set(ids)).toEqual(new Set([receiver.url]))
})
