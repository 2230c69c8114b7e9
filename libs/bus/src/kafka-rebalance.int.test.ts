/**
 * What a group does when its members change: nothing that is done is read again, and nobody waits
 * for a member that has gone.
 */
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { TopicName } from '@posthorn/contracts/topics'
import { eventually } from '@posthorn/testing/eventually'
import { kafkaBrokers } from '@posthorn/testing/stores'
import { startLoopTime } from '@posthorn/testing/loop-time'
import type { Bus } from './bus.ts'
import { accepted, createInbox, recordEvents } from './bus.conformance.ts'
import { createKafkaBus, type KafkaBusConfig } from './kafka-bus.ts'
import { createKafkaSockets, type KafkaSockets } from './kafka-sockets.ts'

const SYNC_GROUP = 14
const KEPT = 40

const open: Bus[] = []
const timers: NodeJS.Timeout[] = []
afterEach(async () => {
  for (const timer of timers.splice(0)) clearInterval(timer)
  await Promise.all(open.splice(0).map((bus) => bus.close(1_000)))
})

async function makeConfig(): Promise<KafkaBusConfig> {
  const brokers = (await kafkaBrokers()).split(',')
  return { brokers, clientId: 'test', partitions: 4, topicPrefix: `${randomUUID()}.` }
}

async function makeBus(config: KafkaBusConfig, events = recordEvents()): Promise<Bus> {
  const bus = await createKafkaBus(config, events)
  open.push(bus)
  return bus
}

/** A few every few milliseconds, so that at any moment some are done and not yet committed. */
function announceSteadily(bus: Bus): void {
  let from = 0
  const timer = setInterval(() => {
    bus.announce('event.accepted', accepted(4, from))
    from += 4
  }, 5)
  timers.push(timer)
}

interface Heard {
  /** Done at once. */
  events: string[]
  /** Never done. */
  kept: string[]
}

const newMember = (): Heard => ({ events: [], kept: [] })

function subscribe(bus: Bus, heard: Heard) {
  return bus.subscribe<TopicName>({
    group: 'fanout',
    topics: ['event.accepted', 'delivery.due.high'],
    maxInFlight: 10_000,
    onMessages(_topic, messages) {
      for (const { value, done } of messages) {
        if ('targetId' in value) heard.kept.push(value.targetId)
        else if ('eventId' in value) {
          heard.events.push(value.eventId)
          done()
        }
      }
    },
  })
}

function backlogs(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const targetId = `target ${index}`
    return { v: 1, kind: 'backlog', token: 1, tenantId: 't', targetId, endpointId: null } as const
  })
}

describe('a group whose members change', () => {
  test('reads again what was not done, and nothing else', async () => {
    const config = await makeConfig()
    const [first, second, third] = [newMember(), newMember(), newMember()]
    const bus = await makeBus(config)
    await subscribe(bus, first)
    bus.announce('delivery.due.high', backlogs(KEPT))
    await eventually(() => first.kept.length >= KEPT)
    announceSteadily(bus)
    await subscribe(await makeBus(config), second)
    await eventually(() => second.events.length > 0)
    await subscribe(await makeBus(config), third)
    await eventually(() => third.events.length > 0)
    // The messages of the partitions that the first member kept come to it again.
    const again = () => new Set([first.kept.slice(KEPT), second.kept, third.kept].flat())
    await eventually(() => again().size >= KEPT)
    const events = [first, second, third].flatMap((member) => member.events)
    expect(events.length).toBe(new Set(events).size)
  }, 60_000)

  test('waits for nobody who failed between joining and being dealt partitions', async () => {
    const sockets = cutAtFirst(SYNC_GROUP)
    const bus = await makeBus({ ...(await makeConfig()), sockets })
    const inbox = createInbox()
    const topics = ['event.accepted'] as const
    const elapsedMs = startLoopTime()
    await bus.subscribe({ group: 'fanout', topics, maxInFlight: 100, onMessages: inbox.take })
    expect(sockets.cuts()).toBe(1)
    // Well under the 10 s after which the group would have given the dead member up.
    expect(elapsedMs()).toBeLessThan(8_000)
    bus.announce('event.accepted', accepted(20))
    await eventually(() => inbox.ids.length >= 20)
  }, 60_000)
})

/**
 * Ends the connection instead of sending the first request of this kind: the broker hears of
 * neither.
 */
function cutAtFirst(kind: number): KafkaSockets & { cuts(): number } {
  const sockets = createKafkaSockets()
  let cuts = 0
  return {
    close: sockets.close,
    cuts: () => cuts,
    open(args) {
      const socket = sockets.open(args)
      const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
      socket.write = (...given: unknown[]) => {
        // It follows the request's length.
        const isKind = (given[0] as Buffer).readInt16BE(4) === kind
        if (!isKind || cuts > 0) return write(...given)
        cuts += 1
        socket.destroy(new Error('cut by the test'))
        return false
      }
      return socket
    },
  }
}
