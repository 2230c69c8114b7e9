/**
 * What tests of endpoints do again and again: a product and a receiver for a group of tests, an
 * endpoint with a path of its own at the receiver, what came there, and what became of an event.
 */
import { afterAll, beforeAll, expect } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import {
  type ReceivedRequest,
  type Receiver,
  type ReceiverAnswer,
  startReceiver,
} from '@posthorn/testing/receiver'
import type { Answer, Mode } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

/** Several times what anything here takes alone: the machine may be busy with other tests. */
export const WAIT = { timeoutMs: 45_000 }

/** Decided: what is changed is in force everywhere by then. */
export const IN_FORCE_MS = 2_000

type Json = Record<string, unknown>
export type Decide = (request: ReceivedRequest) => ReceiverAnswer

export interface Target {
  id: string
  /** The event type that it subscribes to, and nobody else. */
  type: string
  /** The answer to its creation. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the answer's shape is what is tested
  created: any
  answer(next: Decide): void
  requests(): ReceivedRequest[]
  /** Resolves when so many have come. */
  arrived(count: number): Promise<void>
  /** A member of each payload that came, in order of arrival. */
  came(member: string): unknown[]
  send(payload?: Json): Promise<string>
  patch(body: Json): Promise<void>
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  read(): Promise<any>
}

/** Those of the group of tests that called `useEndpoints`. */
export let posthorn: SharedProduct
export let receiver: Receiver
const answers = new Map<string, Decide>()

export function useEndpoints(mode: Mode): void {
  beforeAll(async () => {
    answers.clear()
    receiver = await startReceiver()
    posthorn = await joinProduct(mode)
  }, 150_000)

  afterAll(async () => {
    await posthorn.leave()
    await receiver.close()
  }, 60_000)
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

export async function post(path: string, body?: unknown): Promise<Answer> {
  return await posthorn.call('POST', `/api/v1${path}`, body)
}

// oxlint-disable-next-line typescript/no-explicit-any -- the answer's shape is what is tested
export async function get(path: string): Promise<any> {
  return (await posthorn.call('GET', `/api/v1${path}`)).body
}

export async function add(name: string, fields: Json = {}): Promise<Target> {
  // Each request is answered as its endpoint's test wants it.
  receiver.answer((request) => answers.get(request.path)?.(request) ?? { status: 200 })
  const path = `/${name}`
  const body = { url: `${receiver.url}${path}`, eventTypes: [name], ...fields }
  const created = await posthorn.call('POST', '/api/v1/endpoints', body)
  expect([created.status, created.text]).toEqual([201, expect.any(String)])
  const { id } = created.body as { id: string }
  const requests = () => receiver.requests.filter((request) => request.path === path)
  return {
    id,
    type: name,
    created: created.body,
    answer: (next) => answers.set(path, next),
    requests,
    arrived: async (count) =>
      await eventually(() => expect(requests().length).toBeGreaterThanOrEqual(count), WAIT),
    came: (member) => requests().map(({ rawBody }) => JSON.parse(String(rawBody))[member]),
    send: async (payload = {}) => (await posthorn.send({ eventType: name, payload })).id,
    async patch(changes) {
      const patched = await posthorn.call('PATCH', `/api/v1/endpoints/${id}`, changes)
      expect([patched.status, patched.text]).toEqual([200, expect.any(String)])
    },
    read: async () => (await posthorn.call('GET', `/api/v1/endpoints/${id}`)).body,
  }
}

/** Resolves with the event when it is so. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export async function becomes(eventId: string, status: string): Promise<any> {
  return await eventually(async () => {
    const event = await posthorn.event(eventId)
    expect(event).toMatchObject({ status })
    return event
  }, WAIT)
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above
export async function explain(eventId: string): Promise<any> {
  return await get(`/events/${eventId}/explain`)
}

/** Resolves when the event's only delivery waits for this. */
export async function waitsFor(eventId: string, reason: string): Promise<void> {
  await eventually(async () => {
    const { deliveries } = await explain(eventId)
    expect(deliveries).toMatchObject([{ waitsFor: { reason } }])
  }, WAIT)
}
