/**
 * What tests of endpoints do again and again: an endpoint with a path of its own at one receiver,
 * what came there, and what became of an event.
 */
import { expect } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import type { ReceiverAnswer, ReceivedRequest, Receiver } from '@posthorn/testing/receiver'
import type { Product } from './posthorn.ts'

/** Several times what anything here takes alone: the machine may be busy with other tests. */
export const WAIT = { timeoutMs: 45_000 }

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

export interface EndpointDriver {
  add(name: string, fields?: Json): Promise<Target>
  /** Resolves with the event when it is so. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  becomes(eventId: string, status: string): Promise<any>
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  explain(eventId: string): Promise<any>
  /** Resolves when the event's only delivery waits for this. */
  waitsFor(eventId: string, reason: string): Promise<void>
}

export function createEndpointDriver(
  posthorn: () => Product,
  receiver: () => Receiver,
): EndpointDriver {
  const answers = new Map<string, Decide>()

  async function add(name: string, fields: Json = {}): Promise<Target> {
    // Each request is answered as its endpoint's test wants it.
    receiver().answer((request) => answers.get(request.path)?.(request) ?? { status: 200 })
    const path = `/${name}`
    const body = { url: `${receiver().url}${path}`, eventTypes: [name], ...fields }
    const created = await posthorn().call('POST', '/api/v1/endpoints', body)
    expect([created.status, created.text]).toEqual([201, expect.any(String)])
    const { id } = created.body as { id: string }
    const requests = () => receiver().requests.filter((request) => request.path === path)
    return {
      id,
      type: name,
      created: created.body,
      answer: (next) => answers.set(path, next),
      requests,
      arrived: async (count) =>
        await eventually(() => expect(requests().length).toBeGreaterThanOrEqual(count), WAIT),
      came: (member) => requests().map(({ rawBody }) => JSON.parse(String(rawBody))[member]),
      send: async (payload = {}) => (await posthorn().send({ eventType: name, payload })).id,
      async patch(changes) {
        const patched = await posthorn().call('PATCH', `/api/v1/endpoints/${id}`, changes)
        expect([patched.status, patched.text]).toEqual([200, expect.any(String)])
      },
      read: async () => (await posthorn().call('GET', `/api/v1/endpoints/${id}`)).body,
    }
  }

  async function explain(eventId: string) {
    return (await posthorn().call('GET', `/api/v1/events/${eventId}/explain`)).body
  }

  return {
    add,
    becomes: (eventId, status) =>
      eventually(async () => {
        const event = await posthorn().event(eventId)
        expect(event).toMatchObject({ status })
        return event
      }, WAIT),
    explain,
    waitsFor: (eventId, reason) =>
      eventually(async () => {
        const { deliveries } = await explain(eventId)
        expect(deliveries).toMatchObject([{ waitsFor: { reason } }])
      }, WAIT),
  }
}
