import { describe, expect, test } from '@jest/globals'
import { accepted, busConformance, createInbox, recordEvents } from './bus.conformance.ts'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { Received } from './bus.ts'
import { createInProcessBus } from './in-process-bus.ts'

function due(n: number): DueDelivery {
  const ids = { tenantId: 't', projectId: 'p', eventId: `e${n}`, deliveryId: `d${n}` }
  const none = { endpointId: null, lane: null, eventType: null, headers: null, maxAttempts: null }
  const numbers = { token: 1, priority: 9, seq: n, attempts: 0, attemptsBefore: 0, createdAt: 0 }
  const text = { destination: 'http://a.test', payload: '{}', traceId: '' }
  return { v: 1, kind: 'delivery', ...ids, ...none, ...numbers, ...text }
}

const nextRound = (): Promise<void> => new Promise((done) => setImmediate(done))

busConformance('the in-process bus', async (events) => {
  const limit = 1_000
  const bus = createInProcessBus({ maxQueued: limit }, events)
  return {
    announcer: bus,
    reader: bus,
    otherReader: bus,
    limit,
    close: () => bus.close(0),
  }
})

describe('createInProcessBus', () => {
  test('hands over one batch for all that a tick announced, before any later work', async () => {
    const bus = createInProcessBus({}, recordEvents())
    const inbox = createInbox()
    const subscription = { group: 'fanout', topics: ['event.accepted'], maxInFlight: 100 } as const
    await bus.subscribe({ ...subscription, onMessages: inbox.take })
    const messages = accepted(2)
    bus.announce('event.accepted', messages)
    bus.announce('event.accepted', accepted(1, 2))
    expect(inbox.ids).toEqual([])
    await Promise.resolve()
    expect(inbox.ids).toEqual(['e0', 'e1', 'e2'])
    expect(inbox.batches).toBe(1)
    expect(inbox.messages[1]?.value).toBe(messages[1])
  })

  test('drops what nobody reads, and counts it as taken', async () => {
    const bus = createInProcessBus({ maxQueued: 5 }, recordEvents())
    expect(bus.announce('event.accepted', accepted(50))).toBe(50)
    const inbox = createInbox()
    const subscription = { group: 'fanout', topics: ['event.accepted'], maxInFlight: 100 } as const
    await bus.subscribe({ ...subscription, onMessages: inbox.take })
    bus.announce('event.accepted', accepted(1, 100))
    await Promise.resolve()
    expect(inbox.ids).toEqual(['e100'])
  })

  test('takes no more than the fullest group has capacity for', async () => {
    const bus = createInProcessBus({ maxQueued: 10 }, recordEvents())
    const [fast, slow] = [createInbox(), createInbox({ keepUndone: true })]
    const topics = ['event.accepted'] as const
    await bus.subscribe({ group: 'fast', topics, maxInFlight: 100, onMessages: fast.take })
    await bus.subscribe({ group: 'slow', topics, maxInFlight: 1, onMessages: slow.take })
    expect(bus.announce('event.accepted', accepted(8))).toBe(8)
    await Promise.resolve()
    // One is in work at the slow reader and seven wait there.
    expect(bus.announce('event.accepted', accepted(8, 8))).toBe(3)
    await Promise.resolve()
    expect(fast.ids).toHaveLength(11)
    expect(slow.ids).toEqual(['e0'])
    expect(bus.lag()).toContainEqual({ group: 'slow', topic: 'event.accepted', messages: 10 })
    expect(bus.writable()).toBe(false)
  })

  test('takes no more than what its queue may take in memory, and stops the sweep at half of it', async () => {
    const bus = createInProcessBus({ maxQueuedBytes: 1024 * 1024 }, recordEvents())
    const received: Received<unknown>[] = []
    await bus.subscribe({
      group: 'dispatcher',
      topics: ['delivery.due.low'],
      maxInFlight: 1,
      onMessages: (_, messages) => void received.push(...messages),
    })
    const large = Array.from({ length: 100 }, (_, n) => ({
      ...due(n),
      payload: 'x'.repeat(31_000),
    }))
    expect(bus.announce('delivery.due.low', large.slice(0, 1))).toBe(1)
    await Promise.resolve()
    expect(bus.announce('delivery.due.low', large.slice(0, 16))).toBe(16)
    expect(bus.writable()).toBe(true)
    expect(bus.announce('delivery.due.low', large.slice(0, 2))).toBe(2)
    expect(bus.writable()).toBe(false)
    expect(bus.announce('delivery.due.low', large)).toBe(16)
    expect(bus.announce('delivery.due.low', large)).toBe(0)
    for (let done = 0; done < received.length; done += 1) {
      received[done]?.done()
      await nextRound()
    }
    expect(received).toHaveLength(35)
    expect(bus.writable()).toBe(true)
    expect(bus.announce('delivery.due.low', large)).toBeGreaterThan(30)
  })

  test('leaves what waits to the others of a group, and drops it with the last', async () => {
    const bus = createInProcessBus({}, recordEvents())
    const [first, second, third] = [createInbox({ keepUndone: true }), createInbox(), createInbox()]
    const subscription = { group: 'fanout', topics: ['event.accepted'], maxInFlight: 1 } as const
    const reader = await bus.subscribe({ ...subscription, onMessages: first.take })
    bus.announce('event.accepted', accepted(3))
    await Promise.resolve()
    const other = await bus.subscribe({ ...subscription, onMessages: second.take })
    await reader.stop()
    await Promise.resolve()
    expect(first.ids).toEqual(['e0'])
    expect(second.ids).toEqual(['e1', 'e2'])

    other.pause()
    bus.announce('event.accepted', accepted(1, 3))
    await other.stop()
    await bus.subscribe({ ...subscription, onMessages: third.take })
    bus.announce('event.accepted', accepted(1, 4))
    await Promise.resolve()
    expect(second.ids).toHaveLength(2)
    expect(third.ids).toEqual(['e4'])
  })

  test('closes after its time although a reader has no capacity', async () => {
    const bus = createInProcessBus({}, recordEvents())
    const inbox = createInbox({ keepUndone: true })
    const subscription = { group: 'fanout', topics: ['event.accepted'], maxInFlight: 1 } as const
    await bus.subscribe({ ...subscription, onMessages: inbox.take })
    bus.announce('event.accepted', accepted(3))
    await bus.close(1)
    expect(inbox.ids).toEqual(['e0'])
    expect((await bus.check()).ok).toBe(false)
  })
})
