/** The trace of a sender's request goes on with each attempt, in both modes. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const CHILD = new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`)

describe.each(MODES)('traceparent (%s)', (mode) => {
  let posthorn: SharedProduct
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    posthorn = await joinProduct(mode)
  }, 150_000)
  afterAll(async () => {
    await posthorn.leave()
    await receiver.close()
  }, 60_000)

  async function post(path: string, body: unknown, traceparent: string): Promise<void> {
    const headers = { 'X-Idempotency-Key': randomUUID(), traceparent }
    const answer = await posthorn.call('POST', `/api/v1/${path}`, body, headers)
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  }

  /** The headers of what came for a path, in the order of its coming. */
  async function arrivedAt(path: string, count: number): Promise<unknown[]> {
    const isHere = (one: { path: string }): boolean => one.path === path
    const all = await receiver.waitFor((requests) => requests.filter(isHere).length >= count, {
      timeoutMs: 40_000,
    })
    return all.filter(isHere).map(({ headers }) => headers['traceparent'])
  }

  test('each attempt of a direct event is a child of the request', async () => {
    let answers = 0
    receiver.answer(({ path }) =>
      path === '/direct' && (answers += 1) === 1 ? { status: 500 } : { status: 200 },
    )
    const event = { destination: `${receiver.url}/direct`, payload: {} }
    await post('events', event, `00-${TRACE}-${PARENT}-01`)
    const [first, second] = await arrivedAt('/direct', 2)
    expect(first).toMatch(CHILD)
    expect(second).toMatch(CHILD)
    expect(first).not.toBe(second)
  })

  test('so are those of an event by type', async () => {
    const eventTypes = [`traced.${randomUUID()}`]
    const endpoint = { url: `${receiver.url}/typed`, eventTypes }
    expect((await posthorn.call('POST', '/api/v1/endpoints', endpoint)).status).toBe(201)
    const event = { eventType: eventTypes[0], payload: {} }
    await post('events', event, `00-${TRACE}-${PARENT}-01`)
    expect(await arrivedAt('/typed', 1)).toEqual([expect.stringMatching(CHILD)])
  })

  test('and those of a batch', async () => {
    const events = [1, 2].map(() => ({
      destination: `${receiver.url}/batch`,
      payload: {},
      idempotencyKey: randomUUID(),
    }))
    await post('events/batch', { events }, `00-${TRACE}-${PARENT}-01`)
    const arrived = await arrivedAt('/batch', 2)
    expect(arrived).toEqual([expect.stringMatching(CHILD), expect.stringMatching(CHILD)])
  })

  test('what is no traceparent goes no further', async () => {
    const event = { destination: `${receiver.url}/broken`, payload: {} }
    await post('events', event, `00-${'0'.repeat(32)}-${PARENT}-01`)
    expect(await arrivedAt('/broken', 1)).toEqual([undefined])
  })
})
