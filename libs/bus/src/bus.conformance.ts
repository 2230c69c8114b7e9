/**
 * What every bus must do, whatever carries the messages. Readers and announcers are in one process
 * in one implementation and in several in another, so the suite gets three ends of one bus, which
 * may be the same object.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { DueBacklog, EventAccepted, TopicName } from '@posthorn/contracts/topics'
import { eventually } from '@posthorn/testing/eventually'
import type { Bus, BusEvents, Poison, Received } from './bus.ts'

export interface BusUnderTest {
  announcer: Bus
  reader: Bus
  otherReader: Bus
  /** How many small messages one announcement may fill the queue with. */
  limit: number
  close(): Promise<void>
}

export interface RecordedEvents extends BusEvents {
  poison: Poison[]
  errors: { error: unknown; doing: string }[]
  fatal: unknown[]
}

export function recordEvents(): RecordedEvents {
  const poison: RecordedEvents['poison'] = []
  const errors: RecordedEvents['errors'] = []
  const fatal: unknown[] = []
  return {
    poison,
    errors,
    fatal,
    onPoison: (entry) => poison.push(entry),
    onError: (error, doing) => errors.push({ error, doing }),
    onFatal: (error) => fatal.push(error),
  }
}

export function accepted(count: number, from = 0): EventAccepted[] {
  return Array.from({ length: count }, (_, index) => acceptedOne(from + index))
}

function acceptedOne(index: number): EventAccepted {
  return { v: 1, tenantId: 't', eventId: `e${index}` }
}

export interface Inbox {
  ids: string[]
  batches: number
  messages: Received<EventAccepted>[]
  take(topic: TopicName, messages: readonly Received<EventAccepted>[]): void
}

/** Keeps what arrives, and finishes it at once unless it is told not to. */
export function createInbox({ keepUndone = false } = {}): Inbox {
  const inbox: Inbox = {
    ids: [],
    batches: 0,
    messages: [],
    take(_topic, messages) {
      inbox.batches += 1
      for (const message of messages) {
        inbox.ids.push(message.value.eventId)
        inbox.messages.push(message)
        if (!keepUndone) message.done()
      }
    },
  }
  return inbox
}

const EVENTS = ['event.accepted'] as const

export function busConformance(
  name: string,
  makeBus: (events: BusEvents) => Promise<BusUnderTest>,
): void {
  describe(`${name} as a bus`, () => {
    let events: RecordedEvents
    let bus: BusUnderTest

    beforeEach(async () => {
      events = recordEvents()
      bus = await makeBus(events)
    })
    afterEach(async () => bus.close())

    function subscribe(on: Bus, group: string, inbox: Inbox, maxInFlight = 10_000) {
      return on.subscribe({ group, topics: EVENTS, maxInFlight, onMessages: inbox.take })
    }

    test('gives each message to one reader of each group', async () => {
      const [fanout, audit] = [createInbox(), createInbox()]
      await Promise.all([
        subscribe(bus.reader, 'fanout', fanout),
        subscribe(bus.reader, 'audit', audit),
      ])
      const messages = accepted(20)
      expect(bus.announcer.announce('event.accepted', messages)).toBe(20)
      await eventually(() => fanout.ids.length >= 20 && audit.ids.length >= 20)
      const ids = messages.map(({ eventId }) => eventId).sort()
      expect(fanout.ids.toSorted()).toEqual(ids)
      expect(audit.ids.toSorted()).toEqual(ids)
      expect(fanout.messages.map(({ value }) => value)).toContainEqual(messages[7])
    })

    test('keeps the order of one key', async () => {
      const tokens: number[] = []
      await bus.reader.subscribe({
        group: 'dispatcher',
        topics: ['delivery.due.high'],
        maxInFlight: 7,
        onMessages(_topic, messages) {
          for (const { value, done } of messages) {
            tokens.push(value.token)
            done()
          }
        },
      })
      const expected = Array.from({ length: 60 }, (_, token) => token)
      const messages = expected.map((token) => backlogOf('t', token))
      for (const message of messages.slice(0, 20)) {
        bus.announcer.announce('delivery.due.high', [message])
      }
      bus.announcer.announce('delivery.due.high', messages.slice(20))
      await eventually(() => tokens.length >= 60)
      expect(tokens).toEqual(expected)
    })

    test('gives a topic for every instance to all readers of a group', async () => {
      const heard: string[] = []
      const listen = (on: Bus, as: string) =>
        on.subscribe({
          group: 'portal-api',
          topics: ['config.changed'],
          maxInFlight: 10,
          onMessages: (_topic, messages) => {
            for (const { value, done } of messages) {
              heard.push(`${as} ${value.tenantId}`)
              done()
            }
          },
        })
      await Promise.all([listen(bus.reader, 'one'), listen(bus.otherReader, 'two')])
      const changed = { v: 1, tenantId: 't1', what: 'endpoints' } as const
      expect(bus.announcer.announce('config.changed', [changed])).toBe(1)
      await eventually(() => heard.length >= 2)
      expect(heard.toSorted()).toEqual(['one t1', 'two t1'])
    })

    test('shares the messages of a group among its readers', async () => {
      const [one, two] = [createInbox(), createInbox()]
      await subscribe(bus.reader, 'fanout', one)
      await subscribe(bus.otherReader, 'fanout', two)
      bus.announcer.announce('event.accepted', accepted(200))
      await eventually(() => one.ids.length + two.ids.length >= 200)
      expect(new Set([...one.ids, ...two.ids]).size).toBe(200)
      expect(one.ids.length + two.ids.length).toBe(200)
      expect(one.ids.length).toBeGreaterThan(0)
      expect(two.ids.length).toBeGreaterThan(0)
    })

    test('takes messages from the front until the queue is full', async () => {
      const inbox = createInbox()
      await subscribe(bus.reader, 'fanout', inbox, bus.limit * 2)
      expect(bus.announcer.writable()).toBe(true)
      const messages = accepted(bus.limit + 10)
      expect(bus.announcer.announce('event.accepted', messages)).toBe(bus.limit)
      expect(bus.announcer.writable()).toBe(false)
      await eventually(() => bus.announcer.writable())
      const last = accepted(1, bus.limit + 100)
      expect(bus.announcer.announce('event.accepted', last)).toBe(1)
      await eventually(() => new Set(inbox.ids).size >= bus.limit + 1)
      const expected = [...messages.slice(0, bus.limit), ...last].map(({ eventId }) => eventId)
      expect([...new Set(inbox.ids)].toSorted()).toEqual(expected.toSorted())
    })

    test('pauses a topic at maxInFlight and resumes at half', async () => {
      const inbox = createInbox({ keepUndone: true })
      const markers: string[] = []
      await bus.reader.subscribe<TopicName>({
        group: 'fanout',
        topics: ['event.accepted', 'delivery.due.high'],
        maxInFlight: 10,
        onMessages(topic, messages) {
          if (topic === 'event.accepted') inbox.take(topic, messages as never)
          else markers.push(...messages.map(({ value }) => (value as DueBacklog).tenantId))
        },
      })
      const passMarker = async (tenantId: string) => {
        bus.announcer.announce('delivery.due.high', [backlogOf(tenantId)])
        await eventually(() => markers.includes(tenantId))
      }
      bus.announcer.announce('event.accepted', accepted(50))
      await eventually(() => inbox.ids.length >= 10)
      await passMarker('full')
      expect(inbox.ids).toHaveLength(10)

      // Twice, which must count once: six are left, one over half.
      for (const message of inbox.messages.slice(0, 4)) message.done()
      for (const message of inbox.messages.slice(0, 4)) message.done()
      await passMarker('over half')
      expect(inbox.ids).toHaveLength(10)

      inbox.messages[4]?.done()
      await eventually(() => inbox.ids.length >= 15)
      await passMarker('full again')
      expect(inbox.ids).toHaveLength(15)
    })

    test('counts as lag what waits, until it is done', async () => {
      const inbox = createInbox({ keepUndone: true })
      await subscribe(bus.reader, 'fanout', inbox, 10)
      bus.announcer.announce('event.accepted', accepted(40))
      const lag = () => bus.reader.lag().find((l) => l.topic === 'event.accepted')?.messages ?? 0
      await eventually(() => inbox.ids.length >= 10 && lag() >= 30)
      // Finished from the back of each batch, so that the mark moves only at its end.
      await eventually(() => {
        for (const message of inbox.messages.toReversed()) message.done()
        return inbox.ids.length >= 40 && lag() === 0
      })
    })

    test('tells how much waits for a reader and how much it has done', async () => {
      const inbox = createInbox({ keepUndone: true })
      const reader = await subscribe(bus.reader, 'fanout', inbox, 10)
      bus.announcer.announce('event.accepted', accepted(25))
      const progress = () => bus.reader.progress().filter(({ group }) => group === 'fanout')
      // All of it waits, handed over or unread, and none is done.
      await eventually(() => inbox.ids.length >= 10 && (progress()[0]?.waiting ?? 0) >= 25)
      expect(progress()).toMatchObject([{ done: 0 }])
      await eventually(() => {
        for (const message of inbox.messages.toReversed()) message.done()
        return progress()[0]?.done === 25 && progress()[0]?.waiting === 0
      })
      reader.pause()
      expect(progress()).toEqual([])
      await reader.stop()
    })

    test('goes on reading after a throw', async () => {
      const inbox = createInbox()
      let thrown = 0
      await bus.reader.subscribe({
        group: 'fanout',
        topics: EVENTS,
        maxInFlight: 5,
        onMessages(topic, messages) {
          inbox.take(topic, messages)
          thrown += 1
          throw new Error('a fault of the reader')
        },
      })
      bus.announcer.announce('event.accepted', accepted(30))
      await eventually(() => inbox.ids.length >= 30)
      await eventually(() => events.errors.length >= thrown)
      expect(events.errors[0]?.doing).toContain('event.accepted')
      expect(new Set(inbox.ids).size).toBe(30)
      expect(events.fatal).toEqual([])
    })

    test('reports what is no value of its topic, and hands over the rest', async () => {
      const inbox = createInbox()
      await subscribe(bus.reader, 'fanout', inbox)
      const stranger = { v: 7, tenantId: 't', eventId: 'from the future' } as never
      const messages = [...accepted(1), stranger, ...accepted(1, 1)]
      expect(bus.announcer.announce('event.accepted', messages)).toBe(3)
      await eventually(() => inbox.ids.length >= 2 && events.poison.length >= 1)
      expect(inbox.ids.toSorted()).toEqual(['e0', 'e1'])
      expect(events.poison).toEqual([
        {
          group: 'fanout',
          topic: 'event.accepted',
          kind: 'no-value',
          reason: expect.stringMatching(/^not a value of event\.accepted: v: /),
          value: JSON.stringify(stranger),
        },
      ])
      expect(events.fatal).toEqual([])
    })

    test('takes no more messages once paused', async () => {
      const [paused, other] = [createInbox({ keepUndone: true }), createInbox()]
      const reader = await subscribe(bus.reader, 'fanout', paused)
      await subscribe(bus.otherReader, 'audit', other)
      bus.announcer.announce('event.accepted', accepted(5))
      await eventually(() => paused.ids.length >= 5 && other.ids.length >= 5)
      reader.pause()
      bus.announcer.announce('event.accepted', accepted(5, 5))
      await eventually(() => other.ids.length >= 10)
      for (const message of paused.messages) message.done()
      await reader.stop()
      expect(paused.ids).toHaveLength(5)
    })

    test('sends what is queued before it closes', async () => {
      const inbox = createInbox()
      await subscribe(bus.reader, 'fanout', inbox)
      expect(bus.announcer.announce('event.accepted', accepted(300))).toBe(300)
      await bus.announcer.close(5_000)
      expect(bus.announcer.announce('event.accepted', accepted(1))).toBe(0)
      expect(bus.announcer.writable()).toBe(false)
      await eventually(() => inbox.ids.length >= 300)
      expect(inbox.ids).toHaveLength(300)
    })

    test('says that it works', async () => {
      expect((await bus.reader.check()).ok).toBe(true)
      expect(events.errors).toEqual([])
    })
  })
}

export function backlogOf(tenantId: string, token = 1) {
  const targetId = `target of ${tenantId}`
  return { v: 1, kind: 'backlog', token, tenantId, targetId, endpointId: null } as const
}
