/** Circuits as an endpoint and its attempts show them, over two dispatchers. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createInProcessState } from '@posthorn/state/in-process-state'
import { createRedisState } from '@posthorn/state/redis-state'
import type { StateStore } from '@posthorn/state/state-store'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { redisUrl } from '@posthorn/testing/stores'
import { createRig, type Rig } from '../dispatcher.fixture.ts'

let rig: Rig
let receiver: Receiver
let state: StateStore
beforeEach(async () => {
  rig = await createRig()
  receiver = await startReceiver()
  state = createInProcessState()
})
afterEach(async () => {
  await receiver.close()
  await rig.close()
})

async function startTwo(): Promise<void> {
  for (let n = 0; n < 2; n += 1) await rig.start({ state })
}

const LATER = { retryBackoffMs: 86_400_000, retryBackoffMax: 86_400_000 }

const circuit = async (endpointId: string) => (await state.readCircuits([endpointId]))[0]!

/** One after another, so that they are failures in a row. */
async function fail(endpointId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const before = receiver.requests.length
    await rig.deliver({ endpointId })
    await receiver.waitFor(before + 1)
  }
}

async function drained(endpointId: string): Promise<void> {
  await eventually(async () => {
    await rig.sweep()
    expect(await rig.count('backlogs')).toBe(0)
    expect((await circuit(endpointId)).state).toBe('closed')
  })
}

const lines = (name: string) => rig.lines.filter((line) => line.name === name)

test('opens after so many failures in a row, parks, sends one probe, and drains in order', async () => {
  const config = { url: receiver.url, circuitThreshold: 3, circuitResetMs: 1_500, ...LATER }
  const endpointId = await rig.addEndpoint(config)
  await startTwo()
  receiver.answer({ status: 503 })
  await fail(endpointId, 2)
  expect((await circuit(endpointId)).state).toBe('closed')
  await fail(endpointId, 1)
  await eventually(async () => expect((await circuit(endpointId)).state).toBe('open'))

  const messages = await rig.accept(Array.from({ length: 40 }, () => ({ endpointId })))
  // Both know of it a quarter of a second later; whoever had a failure, at once.
  await eventually(() => expect(lines('circuit.opened')).toHaveLength(1))
  await eventually(async () => {
    await rig.deliver({ endpointId })
    expect(await rig.count('parked')).toBeGreaterThan(2)
  })
  const tried = receiver.requests.length
  rig.announce(messages)
  await eventually(async () => expect(await rig.count('parked')).toBeGreaterThanOrEqual(42))
  expect(receiver.requests).toHaveLength(tried)
  expect(await rig.count('attempts')).toBe(tried)
  const { rows } = await rig.pool.query(
    `SELECT leased, due_at > now() AS later, due_at < now() + interval '1.6 s' AS soon
     FROM due WHERE kind = 2`,
  )
  expect(rows).toEqual([{ leased: false, later: true, soon: true }])

  // The one probe hangs for a while: nothing else goes meanwhile, whatever the sweep announces.
  receiver.answer({ status: 200, delayMs: 700 })
  await eventually(async () => {
    await rig.sweep()
    expect(receiver.requests.length).toBeGreaterThan(tried)
  })
  const probedAt = performance.now()
  await eventually(async () => {
    await rig.sweep()
    return performance.now() - probedAt > 400
  })
  expect(receiver.requests).toHaveLength(tried + 1)
  receiver.answer({ status: 200 })
  await drained(endpointId)
  await eventually(async () => {
    const open = Object.values(await rig.states()).filter((state) => state === 'queued')
    expect(open).toHaveLength(0)
  })
  const began = await rig.pool.query<{ seq: string }>(
    `SELECT d.seq FROM attempts a
     JOIN deliveries d ON d.tenant_id = a.tenant_id AND d.id = a.delivery_id
     WHERE a.status_code = 200 ORDER BY a.id`,
  )
  const seqs = began.rows.map(({ seq }) => Number(seq))
  // What came by message after the closing goes beside the backlog: nothing did here.
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
  expect(lines('circuit.closed')).toHaveLength(1)
})

test('a probe that fails opens it again, with one attempt used', async () => {
  const config = { url: receiver.url, circuitThreshold: 2, circuitResetMs: 1_000, ...LATER }
  const endpointId = await rig.addEndpoint(config)
  await startTwo()
  receiver.answer({ status: 500 })
  await fail(endpointId, 2)
  await eventually(() => expect(lines('circuit.opened')).toHaveLength(1))
  await eventually(async () => {
    await rig.deliver({ endpointId })
    expect(await rig.count('parked')).toBeGreaterThanOrEqual(3)
  })
  const tried = receiver.requests.length
  await eventually(async () => {
    await rig.sweep()
    expect(lines('circuit.reopened')).toHaveLength(2)
  })
  await eventually(async () => expect(await rig.count('attempts')).toBe(tried + 2))
  expect(receiver.requests).toHaveLength(tried + 2)
  const { rows } = await rig.pool.query('SELECT count(*)::int AS n FROM deliveries WHERE tries = 0')
  expect(await rig.count('parked')).toBe(rows[0].n)
  receiver.answer({ status: 200 })
  await drained(endpointId)
})

test('an answer of 400 is no failure, and ends a row of them', async () => {
  const config = { url: receiver.url, circuitThreshold: 2, ...LATER }
  const endpointId = await rig.addEndpoint(config)
  await rig.start({ state })
  for (const status of [500, 400, 500, 404, 400, 422]) {
    receiver.answer({ status })
    await fail(endpointId, 1)
    await eventually(async () => expect(await rig.count('attempts')).toBe(receiver.requests.length))
  }
  expect((await circuit(endpointId)).state).toBe('closed')
  expect((await circuit(endpointId)).failures).toBe(0)
  receiver.answer({ status: 429 })
  await fail(endpointId, 2)
  await eventually(async () => expect((await circuit(endpointId)).state).toBe('open'))
})

test('a threshold of 0 turns it off', async () => {
  const endpointId = await rig.addEndpoint({ url: receiver.url, circuitThreshold: 0, ...LATER })
  await rig.start({ state })
  receiver.answer({ status: 500 })
  await fail(endpointId, 8)
  expect((await circuit(endpointId)).failures).toBe(0)
})

test('circuits that Redis knew are closed when it is gone', async () => {
  const endpointId = await rig.addEndpoint({
    url: receiver.url,
    circuitThreshold: 1,
    circuitResetMs: 86_400_000,
    ...LATER,
  })
  const config = { url: await redisUrl(), prefix: randomUUID() }
  state = await createRedisState(config, { onError: () => {} })
  await rig.start({ state })
  receiver.answer({ status: 500 })
  await eventually(async () => {
    await rig.deliver({ endpointId })
    expect(await rig.count('parked')).toBeGreaterThan(0)
  })
  const tried = receiver.requests.length
  receiver.answer({ status: 200 })
  await state.close()
  await eventually(async () => {
    await rig.deliver({ endpointId })
    expect(receiver.requests.length).toBeGreaterThan(tried)
  })
  await eventually(async () => {
    await rig.pool.query('UPDATE due SET due_at = now() WHERE kind = 2 AND NOT leased')
    await rig.sweep()
    expect(await rig.count('parked')).toBe(0)
  })
})
