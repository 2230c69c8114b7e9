/**
 * A cluster whose processes end under load. Killed with -9, they lose nothing. Replaced as an
 * upgrade does it, with SIGTERM to one of each service, and to the next ones when the successors
 * are ready, senders notice nothing, and receivers get each event once.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { OWN_SERVICES } from '../own-cluster.ts'
import { expectNothingLost } from './expect-nothing-lost.ts'
import { type Posthorn, startPosthorn } from './posthorn.ts'

/**
 * What two busy cores keep up with: at 200 on one that others used as well, half of the events
 * waited for 9 s, parked.
 */
const RATE = 100
/** No more are sent while so many have yet to arrive: a slower machine gets fewer. */
const MAX_UNDER_WAY = 5 * RATE
/**
 * One in twenty is answered after so long: whenever a dispatcher is told to end, some tries are
 * under way. Each to a URL of its own: one that answers so late gets a few tries at once, and 10 a
 * second would wait there for minutes.
 */
const SLOW_EVERY = 20
const SLOW_MS = 2_000
const INSTANCES = ['--ingest-apis', '2', '--portal-apis', '2', '--dispatchers', '2']
/** A process ends within its linger and its slowest try, and is ready again some seconds later. */
const REPLACED_MS = 90_000
/** Several times what the last events take, also where their lease had to end first. */
const ARRIVED = { timeoutMs: 60_000, everyMs: 250 }
/** How many of the events that did not arrive are told, and how much of the log. */
const MAX_TOLD = 3
const MAX_OUTPUT = 10_000

/** What `/health` says of a store that did not answer in its time. */
const LATE_STORE = /^503 \{"status":"down".*(no answer within|timed? ?out)/i

interface Running {
  service: string
  pid: number
  port: number
}

describe('a cluster whose processes end', () => {
  let posthorn: Posthorn
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver()
    receiver.answer(({ path }) => (path.startsWith('/slow') ? { delayMs: SLOW_MS } : {}))
    posthorn = await startPosthorn('cluster', {}, INSTANCES)
  }, 150_000)

  afterAll(async () => {
    await posthorn.stop()
    await receiver.close()
  }, 60_000)

  async function processes(): Promise<Running[]> {
    const text = await readFile(join(posthorn.dataDir, 'cluster.json'), 'utf8')
    return (JSON.parse(text) as { processes: Running[] }).processes
  }

  async function replace({ pid, port }: Running): Promise<void> {
    process.kill(pid, 'SIGTERM')
    await eventually(
      async () => {
        const successor = (await processes()).find((one) => one.port === port)
        if (successor === undefined || successor.pid === 0 || successor.pid === pid) return false
        const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null)
        return answer?.status === 200
      },
      { timeoutMs: REPLACED_MS, everyMs: 100 },
    )
  }

  /** A failure tells what became of the events that are missing, and what was logged last. */
  async function allArrived(accepted: ReadonlySet<string>): Promise<void> {
    const missing = (): string[] => {
      const arrived = new Set(receiver.requests.map(idOf))
      return [...accepted].filter((id) => !arrived.has(id))
    }
    try {
      await eventually(() => missing().length === 0, ARRIVED)
    } catch {
      const some = missing().slice(0, MAX_TOLD)
      const events = await Promise.all(some.map((id) => posthorn.event(id)))
      throw new Error(
        `${missing().length} of ${accepted.size} events did not arrive in ${ARRIVED.timeoutMs} ms: ` +
          `${JSON.stringify(events)}\n${posthorn.output().slice(-MAX_OUTPUT)}`,
      )
    }
  }

  test('every event answered 201 arrives, whatever is killed', async () => {
    const arrived = await startReceiver()
    try {
      await expectNothingLost(posthorn, arrived, OWN_SERVICES)
    } finally {
      await arrived.close()
    }
  }, 240_000)

  test('a rolling restart of every service refuses no request and repeats no delivery', async () => {
    // What was killed before may still be on its way back.
    await eventually(async () => {
      const made = await posthorn.call('POST', '/api/v1/endpoints', {
        url: `${receiver.url}/typed`,
        eventTypes: ['roll.*'],
      })
      expect(made.status).toBe(201)
    })
    const accepted = new Set<string>()
    const refused: string[] = []
    const unwell: string[] = []
    const sent: Promise<void>[] = []

    async function post(n: number): Promise<void> {
      const where =
        n % SLOW_EVERY === 0
          ? { destination: `${receiver.url}/slow/${n}` }
          : n % 2 === 0
            ? { destination: `${receiver.url}/direct` }
            : { eventType: 'roll.on' }
      const key = { 'X-Idempotency-Key': `roll-${n}` }
      try {
        const answer = await posthorn.call(
          'POST',
          '/api/v1/events',
          { ...where, payload: { n } },
          key,
        )
        if (answer.status === 201) accepted.add(answer.body.id as string)
        else refused.push(`${answer.status} ${answer.text}`)
      } catch (error) {
        refused.push(inspect(error))
      }
    }
    async function look(path: string): Promise<void> {
      const said = await posthorn.call('GET', path).then(
        ({ status, text }) => (status === 200 ? '' : `${status} ${text}`),
        (error: Error) => inspect(error),
      )
      // A store that a busy machine lets answer late is none of those that are replaced.
      if (said !== '' && !LATE_STORE.test(said)) unwell.push(`${path}: ${said}`)
    }

    const startedAt = performance.now()
    let n = 0
    const load = setInterval(() => {
      const wanted = Math.floor(((performance.now() - startedAt) / 1_000) * RATE)
      const most = Math.min(wanted, receiver.requests.length + MAX_UNDER_WAY)
      for (; n < most; n += 1) sent.push(post(n))
    }, 5)
    const looks = setInterval(() => {
      for (const path of ['/live', '/ready', '/health', '/api/v1/endpoints']) sent.push(look(path))
    }, 250)
    try {
      const all = await processes()
      expect(all.length).toBe(11)
      const services = [...Map.groupBy(all, ({ service }) => service).values()]
      for (const turn of [0, 1]) {
        await Promise.all(services.flatMap((instances) => instances[turn] ?? []).map(replace))
      }
    } finally {
      clearInterval(load)
      clearInterval(looks)
    }
    await Promise.all(sent)

    expect(refused).toEqual([])
    expect(unwell).toEqual([])
    expect(accepted.size).toBe(n)
    await allArrived(accepted)
    // A repeat would come once the leases have ended; that nothing is left shows that none will.
    await eventually(async () => {
      for (const status of ['queued', 'delivering', 'failed']) {
        const { body } = await posthorn.call('GET', `/api/v1/events?status=${status}`)
        expect(body.data).toEqual([])
      }
    }, ARRIVED)
    const times = Map.groupBy(receiver.requests, idOf)
    const repeated = [...times].filter(([, requests]) => requests.length > 1)
    const seconds = (performance.now() - startedAt) / 1_000
    process.stderr.write(
      `rolling restart of 11 processes: ${n} events in ${seconds.toFixed(0)} s, ` +
        `${refused.length} refused, ${repeated.length} repeated\n`,
    )
    const told = repeated.map(async ([id, requests]) => ({
      path: requests[0]?.path,
      at: requests.map(({ at }) => at - (requests[0]?.at ?? 0)),
      attempts: (await posthorn.event(id)).deliveryAttempts,
    }))
    expect(await Promise.all(told)).toEqual([])
    expect(new Set(times.keys())).toEqual(accepted)
  }, 300_000)
})

function idOf({ headers }: Receiver['requests'][number]): string {
  return String(headers['x-service-event-id'])
}
