import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { freePort } from '@posthorn/local-stores/free-port'
import { startKafkaServer } from '@posthorn/local-stores/kafka-server'
import { kafkaBrokers } from '@posthorn/testing/stores'
import { startLoopTime } from '@posthorn/testing/loop-time'
import type { ConfigChanged } from '@posthorn/contracts/topics'
import type { Bus, BusEvents } from './bus.ts'
import {
  accepted,
  backlogOf,
  busConformance,
  createInbox,
  type Inbox,
  type RecordedEvents,
  recordEvents,
} from './bus.conformance.ts'
import { createKafkaBus, type KafkaBusConfig } from './kafka-bus.ts'
import { openKafka } from './kafka-client.ts'

async function makeConfig(): Promise<KafkaBusConfig> {
  return {
    brokers: (await kafkaBrokers()).split(','),
    clientId: 'test',
    partitions: 4,
    topicPrefix: `${randomUUID()}.`,
    sampleLagEveryMs: 50,
  }
}

function subscribe(bus: Bus, inbox: Inbox) {
  const topics = ['event.accepted'] as const
  return bus.subscribe({ group: 'fanout', topics, maxInFlight: 1_000, onMessages: inbox.take })
}

busConformance('Kafka', async (events) => {
  const config = await makeConfig()
  const [announcer, reader, otherReader] = [
    await createKafkaBus(config, events),
    await createKafkaBus(config, events),
    await createKafkaBus(config, events),
  ]
  const all = [announcer, reader, otherReader]
  const close = async () => void (await Promise.all(all.map((bus) => bus.close(1_000))))
  return { announcer, reader, otherReader, limit: 20_000, close }
})

/** As a handler that waits for one promise after the other. */
async function answerLater(promises: number): Promise<void> {
  for (let left = promises; left > 0; left -= 1) await Promise.resolve()
}

describe('createKafkaBus', () => {
  const open: Bus[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((bus) => bus.close(1_000)))
  })

  async function makeBus(config: KafkaBusConfig, events: BusEvents = recordEvents()): Promise<Bus> {
    const bus = await createKafkaBus(config, events)
    open.push(bus)
    return bus
  }

  test('what promises announce goes after what they answer, and before anything else is read', async () => {
    const bus = await makeBus(await makeConfig())
    const inbox = createInbox()
    await subscribe(bus, inbox)
    bus.announce('event.accepted', accepted(1))
    await eventually(() => inbox.ids.length === 1)

    const order: string[] = []
    // As where a statement of a group was written: its promise settles first.
    const announceAndAnswer = async () => {
      await Promise.resolve()
      bus.announce('event.accepted', accepted(1))
      await answerLater(1_000)
      order.push('answered')
    }
    const { write } = Socket.prototype
    const spy = jest.spyOn(Socket.prototype, 'write').mockImplementation(function noted(
      this: Socket,
      ...given: unknown[]
    ) {
      if (String(given[0]).includes('"eventId"')) order.push('announced')
      return Reflect.apply(write, this, given)
    } as typeof write)
    try {
      setImmediate(() => {
        setImmediate(() => order.push('read'))
        void announceAndAnswer()
      })
      await eventually(() => order.length === 3)
    } finally {
      spy.mockRestore()
    }
    expect(order).toEqual(['answered', 'announced', 'read'])
  })

  test.each(['delivery.due.normal.bulk', 'delivery.due.low'] as const)(
    '%s, which was empty, is read while another topic brings one message after the other',
    async (topic) => {
      const bus = await makeBus(await makeConfig())
      const read = new Map<string, number>()
      await bus.subscribe({
        group: 'dispatcher',
        topics: ['delivery.due.normal', topic],
        maxInFlight: 10,
        onMessages(from, messages) {
          read.set(from, (read.get(from) ?? 0) + messages.length)
          for (const { done } of messages) done()
          // The next fetch finds something at once.
          bus.announce('delivery.due.normal', [backlogOf('t')])
        },
      })
      bus.announce('delivery.due.normal', [backlogOf('t')])
      await eventually(() => (read.get('delivery.due.normal') ?? 0) > 50)
      for (let sent = 1; sent <= 3; sent += 1) {
        bus.announce(topic, [backlogOf('t')])
        await eventually(() => read.get(topic) === sent)
      }
    },
  )

  test('a reader of what goes to every instance begins, hears and stops soon, though it asks seldom', async () => {
    const bus = await makeBus(await makeConfig())
    let heard = 0
    const beginningMs = startLoopTime()
    const reader = await bus.subscribe({
      group: 'fanout',
      topics: ['config.changed'],
      maxInFlight: 10,
      onMessages: (_topic, messages) => {
        heard += messages.length
        for (const { done } of messages) done()
      },
    })
    const tell = async (): Promise<number> => {
      const [elapsedMs, before] = [startLoopTime(), heard]
      bus.announce('config.changed', [{ v: 1, tenantId: 't', what: 'projects' }])
      await eventually(() => heard > before)
      return elapsedMs()
    }
    // It waits 5 s for something that does not come.
    expect(beginningMs()).toBeLessThan(4_500)
    await tell()
    expect(await tell()).toBeLessThan(2_500)
    const stoppingMs = startLoopTime()
    await reader.stop()
    expect(stoppingMs()).toBeLessThan(2_500)
  })

  test('hands over again what was not done when its reader stopped, and only that', async () => {
    const bus = await makeBus({ ...(await makeConfig()), partitions: 1 })
    const first = createInbox({ keepUndone: true })
    const reader = await subscribe(bus, first)
    bus.announce('event.accepted', accepted(20))
    await eventually(() => first.ids.length >= 20)
    for (const [index, message] of first.messages.entries()) if (index !== 8) message.done()
    await reader.stop()

    const second = createInbox()
    await subscribe(bus, second)
    await eventually(() => second.ids.includes('e19'))
    expect(second.ids).toEqual(first.ids.slice(8))
  })

  test('hands the partitions of a reader that left to the next one of its group', async () => {
    const config = await makeConfig()
    const [leaver, stayer] = [createInbox({ keepUndone: true }), createInbox()]
    const leaving = await makeBus(config)
    await subscribe(leaving, leaver)
    const staying = await makeBus(config)
    await subscribe(staying, stayer)
    staying.announce('event.accepted', accepted(100))
    await eventually(() => leaver.ids.length + stayer.ids.length >= 100)
    expect(leaver.ids.length).toBeGreaterThan(0)
    await leaving.close(1_000)
    await eventually(() => new Set(stayer.ids).size >= 100)
    // Late, from a generation that is over: it must neither throw nor move the other one's offsets.
    for (const message of leaver.messages) message.done()
    staying.announce('event.accepted', accepted(10, 100))
    await eventually(() => new Set(stayer.ids).size >= 110)
  })

  test('leaves nobody waiting for a reader that is stopped while it joins', async () => {
    const config = await makeConfig()
    const stayer = createInbox()
    const staying = await makeBus(config)
    await subscribe(staying, stayer)
    const leaving = await makeBus(config)
    const joining = subscribe(leaving, createInbox()).catch(() => undefined)
    await untilAnotherJoins(config)
    await leaving.close(1_000)
    await joining
    staying.announce('event.accepted', accepted(100))
    // Well under the 10 s after which the group would have given the other up.
    await eventually(() => stayer.ids.length >= 100, { timeoutMs: 8_000 })
  }, 60_000)

  test('passes over work of a kind that only a later version knows', async () => {
    const config = { ...(await makeConfig()), partitions: 1 }
    const events: RecordedEvents = recordEvents()
    const bus = await makeBus(config, events)
    const heard: string[] = []
    await bus.subscribe({
      group: 'dispatcher',
      topics: ['delivery.due.high', 'config.changed'],
      maxInFlight: 10,
      onMessages(topic, messages) {
        for (const message of messages) {
          heard.push(topic === 'config.changed' ? (message.value as ConfigChanged).what : topic)
          message.done()
        }
      },
    })
    const stranger = openKafka(config).producer()
    try {
      await stranger.connect()
      const later = { v: 1, kind: 'lane', token: 1, tenantId: 't' }
      await stranger.send({
        topic: `${config.topicPrefix}delivery.due.high`,
        messages: [{ value: JSON.stringify(later) }],
      })
      await stranger.send({
        topic: `${config.topicPrefix}config.changed`,
        messages: [{ value: JSON.stringify({ v: 1, tenantId: 't', what: 'weather' }) }],
      })
      await eventually(() => heard.length >= 1)
      await eventually(() => bus.lag().every(({ messages }) => messages === 0))
    } finally {
      await stranger.disconnect()
    }
    expect(heard).toEqual(['weather'])
    expect(events.poison).toEqual([])
    expect(events.fatal).toEqual([])
  })

  test('puts what it cannot parse into the dead-letter topic and reads on', async () => {
    const config = { ...(await makeConfig()), partitions: 1 }
    const events: RecordedEvents = recordEvents()
    const bus = await makeBus(config, events)
    const inbox = createInbox()
    await subscribe(bus, inbox)
    const letters = await readDeadLetters(config, `${config.topicPrefix}fanout.dead-letter`)
    const stranger = openKafka(config).producer()
    try {
      await stranger.connect()
      const topic = `${config.topicPrefix}event.accepted`
      const messages = [{ key: 'k', value: '{"v":7}' }, { value: '{' }, { value: null }]
      await stranger.send({ topic, messages })
      bus.announce('event.accepted', accepted(1))
      await eventually(() => inbox.ids.length >= 1 && letters.found.length >= 3)
    } finally {
      await stranger.disconnect()
      await letters.stop()
    }
    expect(inbox.ids).toEqual(['e0'])
    expect(events.poison.map(({ value }) => value)).toEqual(['{"v":7}', '{', ''])
    expect(letters.found.map(({ value }) => value)).toEqual(['{"v":7}', '{', ''])
    expect(letters.found.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^not a value of event.accepted: v: /),
      expect.stringMatching(/^not JSON: /),
      'the message has no value',
    ])
    await eventually(() => bus.lag().every(({ messages }) => messages === 0))
    expect(events.fatal).toEqual([])
  })

  test('refuses a reader that was waiting for the broker when it is closed', async () => {
    const bus = await makeBus({ ...(await makeConfig()), brokers: ['127.0.0.1:1'] })
    const reading = expect(subscribe(bus, createInbox())).rejects.toThrow('before it began')
    await bus.close(0)
    await reading
  })
})

describe('createKafkaBus without its broker', () => {
  const running: { stop(): Promise<void> }[] = []
  afterAll(async () => {
    for (const each of running.reverse()) await each.stop()
  }, 30_000)

  test('begins when there is one, and comes back by itself when it went', async () => {
    const port = await freePort()
    const events = recordEvents()
    const config = { ...(await makeConfig()), brokers: [`127.0.0.1:${port}`] }
    const bus = await createKafkaBus(config, events)
    running.push({ stop: () => bus.close(0) })
    expect(bus.writable()).toBe(false)
    const inbox = createInbox()
    const reading = subscribe(bus, inbox)
    expect(bus.announce('event.accepted', accepted(3))).toBe(3)

    const server = await startKafkaServer({ port })
    running.unshift(server)
    await reading
    await eventually(() => inbox.ids.length >= 3)
    expect((await bus.check()).ok).toBe(true)

    await server.kill()
    bus.announce('event.accepted', accepted(5, 1_000))
    await eventually(() => !bus.writable())
    expect((await bus.check()).ok).toBe(false)
    expect(bus.announce('event.accepted', accepted(5, 3))).toBe(5)

    await server.restart()
    await eventually(() => bus.writable())
    expect((await bus.check()).ok).toBe(true)
    bus.announce('event.accepted', accepted(5, 8))
    // What was being sent when the broker went may be lost; what came after that has waited.
    const wanted = accepted(13).map(({ eventId }) => eventId)
    // Well under the 10 s after which the group would have given the reader up.
    await eventually(() => wanted.every((id) => inbox.ids.includes(id)), { timeoutMs: 8_000 })
    expect(events.fatal).toEqual([])
  }, 120_000)
})

async function untilAnotherJoins(config: KafkaBusConfig) {
  const admin = openKafka(config).admin()
  try {
    await admin.connect()
    await eventually(async () => {
      const { groups } = await admin.describeGroups([`${config.topicPrefix}fanout`])
      // The first mostly learns of it only by its next heartbeat, after the second has asked to
      // join.
      return groups[0]?.state === 'PreparingRebalance' || groups[0]?.members.length === 2
    })
  } finally {
    await admin.disconnect()
  }
}

async function readDeadLetters(config: KafkaBusConfig, topic: string) {
  const found: { value: string; reason: string }[] = []
  const consumer = openKafka(config).consumer({ groupId: randomUUID(), maxWaitTimeInMs: 50 })
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ message }) => {
      const reason = String(message.headers?.['reason'])
      found.push({ value: String(message.value), reason })
    },
  })
  return { found, stop: () => consumer.disconnect() }
}
