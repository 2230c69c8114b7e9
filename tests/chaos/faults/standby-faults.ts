/** Faults of two instances of `standalone`, of which one works and the other stands by. */
import { eventually } from '@posthorn/testing/eventually'
import { proxiesOf, type ServiceProcess, type World } from '../world.ts'
import { type Fault, type InjectedFault, MOMENT, STANDBY } from './fault.ts'

/** It is seen to be dead after 2 s, and the other is ready within one more. */
const DEAD_MS = 5_000
/** One that cannot renew the lease says after 5 s that it is not ready. */
const CUT_OFF_MS = 10_000
/** It is seen to stand still after 15 s. */
const FROZEN_MS = 30_000
/** Longer than a takeover takes, so that it comes back while the other works. */
const FROZEN = { long: 60_000, short: 25_000 }

const ANSWER_MS = 2_000
const STARTED_MS = 60_000

/**
 * One that ended in the round before may still be starting.
 * @returns the process that works, and the one that waits
 */
async function rolesIn(world: World): Promise<[ServiceProcess, ServiceProcess]> {
  return await eventually(() => askRoles(world), { timeoutMs: STARTED_MS })
}

async function askRoles({ processes }: World): Promise<[ServiceProcess, ServiceProcess]> {
  const statuses = await Promise.all(
    processes.map(async ({ port }) => {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const answer = await fetch(`http://127.0.0.1:${port}/ready`, { signal })
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  const working = processes.find((_, at) => statuses[at] === 200)
  const waiting = processes.find((one) => one !== working)
  if (working === undefined || waiting === undefined)
    throw new Error(`nobody works: ${statuses.join(' and ')}`)
  return [working, waiting]
}

function fault(
  name: string,
  what: string,
  inject: (world: World) => Promise<InjectedFault>,
): Fault {
  return { name, what, modes: STANDBY, accepting: 'any', durationMs: MOMENT, inject }
}

function injected(
  victims: readonly ServiceProcess[],
  takeoverMs?: number,
  end = async () => {},
): InjectedFault {
  const names = victims.map(({ name }) => name)
  const bound = takeoverMs === undefined ? {} : { takeoverMs }
  return { detail: names.join(' and '), victims: names, ...bound, end }
}

function signalFault(name: string, what: string, signal: NodeJS.Signals): Fault {
  return fault(name, what, async (world) => {
    const [working] = await rolesIn(world)
    process.kill(working.pid, signal)
    return injected([working], DEAD_MS)
  })
}

/** @returns a fault of the connection between the process that works and Postgres */
function linkFault(
  name: string,
  what: string,
  {
    takeoverMs,
    disturb,
  }: { takeoverMs: number; disturb(world: World, link: string): Promise<void> },
): Fault {
  return {
    ...fault(name, what, async (world) => {
      const [working] = await rolesIn(world)
      await disturb(world, `${working.name}:postgres`)
      return injected([working], takeoverMs, async () => await proxiesOf(world).heal())
    }),
    durationMs: { long: takeoverMs * 2, short: takeoverMs },
    needsProxies: true,
  }
}

export const STANDBY_FAULTS: readonly Fault[] = [
  signalFault('active-killed', 'the instance that works killed with -9', 'SIGKILL'),
  signalFault('active-ended', 'the instance that works ended by SIGTERM', 'SIGTERM'),
  {
    ...fault(
      'active-frozen',
      'the instance that works stopped by SIGSTOP and continued',
      async (world) => {
        const [working] = await rolesIn(world)
        const { pid } = working
        process.kill(pid, 'SIGSTOP')
        return injected([working], FROZEN_MS, async () => void process.kill(pid, 'SIGCONT'))
      },
    ),
    durationMs: FROZEN,
  },
  fault('waiting-killed', 'the instance that waits killed with -9', async (world) => {
    const [, waiting] = await rolesIn(world)
    process.kill(waiting.pid, 'SIGKILL')
    return injected([waiting])
  }),
  fault('both-killed', 'both instances killed with -9', async (world) => {
    const both = await rolesIn(world)
    for (const { pid } of both) process.kill(pid, 'SIGKILL')
    return injected(both)
  }),
  linkFault('active-cut', 'the instance that works cut off from Postgres: refused', {
    takeoverMs: CUT_OFF_MS,
    disturb: async (world, link) => await proxiesOf(world).enable(link, false),
  }),
  linkFault('active-swallowed', 'the instance that works and Postgres: a black hole between them', {
    takeoverMs: FROZEN_MS,
    async disturb(world, link) {
      const streams = ['upstream', 'downstream'] as const
      const toxics = streams.map((stream) => ({
        type: 'timeout' as const,
        stream,
        attributes: { timeout: 0 },
      }))
      await proxiesOf(world).poison(link, toxics)
    },
  }),
]
