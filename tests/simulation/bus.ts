/**
 * A bus that promises no more than `bus.ts` does: messages are lost, repeated, late and out of
 * order. Like Kafka it has partitions with one reader each, and a partition is read again from its
 * committed offset when its reader leaves. The product's own `read-window.ts` and `offsets.ts`
 * decide how much is read and what is committed.
 */
import type { Bus, Reader, Received, BusSubscription } from '@posthorn/bus/bus'
import { createLowWaterMark, type LowWaterMark } from '@posthorn/bus/offsets'
import { createReadWindow, type ReadWindow } from '@posthorn/bus/read-window'
import { TOPICS, type TopicName } from '@posthorn/contracts/topics'
import type { SeededRandom } from './seeded-random.ts'
import type { Owner, VirtualTime } from './virtual-time.ts'

export interface SimulatedBusDeps {
  time: VirtualTime
  random: SeededRandom
  /** How late each copy of a message comes. An empty list means that the message is lost. */
  copiesOf(): number[]
  isDown(): boolean
  /** A process reads messages. */
  onStep(owner: Owner, what: string): void
  violated(what: string): void
}

export interface SimulatedBus {
  busOf(owner: Owner): Bus
  /** The process is gone or silent, so its partitions go to others. */
  leave(owner: Owner): void
  /** The process is back and takes part in its groups again. */
  rejoin(owner: Owner): void
  /** Messages that no reader has finished. */
  lag(): { group: string; topic: TopicName; messages: number }[]
}

const PARTITIONS = 2
const COMMIT_EVERY_MS = 200
/** Far fewer than the services ask for, so that the window is full now and then. */
const MAX_IN_FLIGHT = 6
const MAX_BATCH = 4

interface Log {
  topic: TopicName
  messages: unknown[]
  /** The readers by their group. */
  readers: Map<string, GroupLog>
}

interface GroupLog {
  committed: number
  done: Set<number>
  assigned: Assigned | undefined
}

interface Assigned {
  member: Member
  position: number
  mark: LowWaterMark
  isCommitting: boolean
  isFetching: boolean
}

interface Member {
  owner: Owner
  subscription: BusSubscription<TopicName>
  windows: Map<TopicName, ReadWindow>
  isPaused: boolean
}

/** Reads partitions for their readers, and commits what they have finished. */
function createFetching(deps: SimulatedBusDeps): (log: Log, group: string) => void {
  const { time, random } = deps

  function fetchSoon(log: Log, group: string): void {
    const assigned = readerOf(log, group).assigned
    if (assigned === undefined || assigned.isFetching) return
    assigned.isFetching = true
    time.at(assigned.member.owner, time.now() + random.between(0.1, 5), () => {
      assigned.isFetching = false
      fetch(log, group, assigned)
    })
  }

  function fetch(log: Log, group: string, assigned: Assigned): void {
    const { member } = assigned
    const reader = readerOf(log, group)
    if (reader.assigned !== assigned || member.isPaused) return
    const window = member.windows.get(log.topic) as ReadWindow
    const count = Math.min(
      window.capacity(),
      1 + random.below(MAX_BATCH),
      log.messages.length - assigned.position,
    )
    if (count <= 0) return
    const received: Received<never>[] = []
    for (let index = 0; index < count; index += 1) {
      const offset = assigned.position
      const slot = assigned.mark.take(offset)
      assigned.position += 1
      const finish = (): void => {
        reader.done.add(offset)
        assigned.mark.finish(slot)
        window.release(1)
        commitSoon(log, group, assigned)
      }
      received.push(receive(log.messages[offset], finish))
    }
    window.take(count)
    deps.onStep(member.owner, `reads ${count} of ${log.topic}`)
    time.at(member.owner, time.now(), () => {
      member.subscription.onMessages(log.topic, received)
      fetchSoon(log, group)
    })
  }

  function commitSoon(log: Log, group: string, assigned: Assigned): void {
    if (assigned.isCommitting) return
    assigned.isCommitting = true
    time.at(assigned.member.owner, time.now() + COMMIT_EVERY_MS, () => {
      assigned.isCommitting = false
      const reader = readerOf(log, group)
      if (reader.assigned === assigned) commit(log, group, reader, assigned, deps.violated)
    })
  }

  return fetchSoon
}

interface Groups {
  logs: ReturnType<typeof createLogs>
  members: readonly Member[]
  random: SeededRandom
  fetchSoon(log: Log, group: string): void
}

/**
 * Deals the partitions out anew, as Kafka does after each change of a group. What was read and
 * not committed is read again by the new reader.
 */
function rebalance(
  { logs, members, random, fetchSoon }: Groups,
  { group, topics }: BusSubscription<TopicName>,
): void {
  let next = random.below(2)
  for (const topic of topics) {
    if (TOPICS[topic].delivery === 'every') continue
    const readers = members.filter(
      ({ subscription }) => subscription.group === group && subscription.topics.includes(topic),
    )
    for (const log of logs.of(topic)) {
      const reader = readerOf(log, group)
      const member = readers[next % Math.max(1, readers.length)]
      next += 1
      const fresh = { isCommitting: false, isFetching: false, mark: createLowWaterMark() }
      reader.assigned =
        member === undefined ? undefined : { ...fresh, member, position: reader.committed }
      fetchSoon(log, group)
    }
  }
}

export function createSimulatedBus(deps: SimulatedBusDeps): SimulatedBus {
  const { time, random } = deps
  const logs = createLogs(random)
  const fetchSoon = createFetching(deps)
  const members: Member[] = []
  const away: Member[] = []
  const groups = { logs, members, random, fetchSoon }

  function append(topic: TopicName, message: unknown): void {
    if (TOPICS[topic].delivery === 'every') return tellEverybody(deps, members, topic, message)
    const all = logs.of(topic)
    const key = TOPICS[topic].key(message as never)
    const log = all[logs.placeOf(key) % all.length] as Log
    log.messages.push(message)
    for (const [group] of log.readers) fetchSoon(log, group)
  }

  function drop(member: Member): void {
    members.splice(members.indexOf(member), 1)
    rebalance(groups, member.subscription)
  }

  function subscribe(owner: Owner, subscription: BusSubscription<TopicName>): Reader {
    const member: Member = { owner, subscription, windows: new Map(), isPaused: false }
    for (const topic of subscription.topics) {
      const again = (): void => logs.of(topic).forEach((log) => fetchSoon(log, subscription.group))
      member.windows.set(topic, createReadWindow(MAX_IN_FLIGHT, again))
    }
    members.push(member)
    rebalance(groups, subscription)
    return {
      pause: () => void (member.isPaused = true),
      stop: async () => (members.includes(member) ? drop(member) : undefined),
    }
  }

  return {
    busOf: (owner) => ({
      announce(topic, messages) {
        for (const message of deps.isDown() ? [] : messages) {
          for (const late of deps.copiesOf())
            time.at(null, time.now() + late, () => append(topic, message))
        }
        return messages.length
      },
      writable: () => !deps.isDown(),
      waitMs: () => 0,
      batchingDelayMs: 0,
      subscribe: async (subscription) =>
        subscribe(owner, subscription as unknown as BusSubscription<TopicName>),
      check: async () => ({ ok: true, detail: 'simulated' }),
      progress: () => [],
      lag: () => [],
      close: async () => undefined,
    }),
    lag: () => logs.all().flatMap(lagOf),
    leave(owner) {
      for (const member of members.filter((one) => one.owner === owner)) {
        away.push(member)
        drop(member)
      }
    },
    rejoin(owner) {
      for (const member of away.filter((one) => one.owner === owner)) {
        away.splice(away.indexOf(member), 1)
        members.push(member)
        rebalance(groups, member.subscription)
      }
    },
  }
}

function createLogs(random: SeededRandom) {
  const logs = new Map<TopicName, Log[]>()
  const places = new Map<string, number>()

  return {
    of(topic: TopicName): Log[] {
      const known = logs.get(topic)
      if (known !== undefined) return known
      const made = Array.from({ length: PARTITIONS }, () => ({
        topic,
        messages: [],
        readers: new Map<string, GroupLog>(),
      }))
      logs.set(topic, made)
      return made
    },
    all: () => [...logs.values()].flat(),
    /**
     * The number of the key's partition. It is drawn, not hashed, because ids differ from run to
     * run.
     */
    placeOf(key: string | null): number {
      if (key === null) return random.below(PARTITIONS)
      const known = places.get(key)
      if (known !== undefined) return known
      const place = random.below(PARTITIONS)
      places.set(key, place)
      return place
    },
  }
}

function readerOf(log: Log, group: string): GroupLog {
  const known = log.readers.get(group)
  if (known !== undefined) return known
  const made = { committed: 0, done: new Set<number>(), assigned: undefined }
  log.readers.set(group, made)
  return made
}

function receive(value: unknown, finish: () => void): Received<never> {
  let isOpen = true
  return {
    value: value as never,
    done() {
      if (!isOpen) return
      isOpen = false
      finish()
    },
  }
}

function commit(
  { topic }: Log,
  group: string,
  reader: GroupLog,
  { mark }: Assigned,
  violated: (what: string) => void,
): void {
  const offset = mark.committable()
  if (offset === undefined) return
  for (let one = reader.committed; one < offset; one += 1) {
    if (!reader.done.has(one))
      violated(`${group} committed ${offset} of ${topic}, and ${one} was not done`)
  }
  reader.committed = offset
}

function lagOf({ topic, messages, readers }: Log) {
  return [...readers].map(([group, { committed }]) => {
    return { group, topic, messages: messages.length - committed }
  })
}

function tellEverybody(
  { time, random }: SimulatedBusDeps,
  members: readonly Member[],
  topic: TopicName,
  message: unknown,
): void {
  for (const { owner, subscription, isPaused } of members) {
    if (isPaused || !subscription.topics.includes(topic)) continue
    time.at(owner, time.now() + random.between(0.1, 3), () =>
      subscription.onMessages(topic, [{ value: message as never, done: () => undefined }]),
    )
  }
}
