/** Faults of the services: killed, ended, frozen, and coming and going. */
import { setTimeout as pause } from 'node:timers/promises'
import { OWN_SERVICES } from '../../own-cluster.ts'
import type { ServiceProcess, World } from '../world.ts'
import { type InjectedFault, BOTH, CLUSTER, type Fault, MOMENT } from './fault.ts'

/**
 * Longer than the lease of 10 s and Kafka's session of 10 s, so that the process comes back as a
 * zombie.
 */
const FROZEN = { long: 60_000, short: 15_000 }
const CHURN_MS = { from: 1_000, to: 5_000 }

function signalAll(nodes: readonly ServiceProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of nodes) if (pid > 0) process.kill(pid, signal)
}

/** All processes of a service, or one of them. */
function chooseVictims(
  world: World,
  service: string,
  random: { next(): number },
): ServiceProcess[] {
  const all = world.processes.filter((node) => node.service === service)
  return random.next() < 0.5 ? all : all.slice(0, 1)
}

function killFault(service: string, signal: 'SIGKILL' | 'SIGTERM'): Fault {
  return {
    name: `${signal === 'SIGKILL' ? 'kill' : 'term'}-${service}`,
    what: signal === 'SIGKILL' ? `${service} killed with -9` : `${service} ended by SIGTERM`,
    modes: service === 'standalone' ? ['standalone'] : CLUSTER,
    accepting: 'any',
    durationMs: MOMENT,
    async inject(world, random) {
      const nodes = chooseVictims(world, service, random)
      signalAll(nodes, signal)
      return injected(nodes, async () => {})
    },
  }
}

function freezeFault(service: string): Fault {
  return {
    name: `freeze-${service}`,
    what: `${service} stopped by SIGSTOP and continued`,
    modes: service === 'standalone' ? ['standalone'] : CLUSTER,
    accepting: 'any',
    durationMs: FROZEN,
    async inject(world, random) {
      const nodes = chooseVictims(world, service, random).slice(0, 1)
      const pids = nodes.map(({ pid }) => pid).filter((pid) => pid > 0)
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      return injected(nodes, async () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT')
      })
    },
  }
}

function injected(nodes: readonly ServiceProcess[], end: () => Promise<void>): InjectedFault {
  const victims = nodes.map(({ name }) => name)
  return { detail: victims.join(' and '), victims, end }
}

const churn: Fault = {
  name: 'churn-dispatchers',
  what: 'two more dispatchers, started and stopped every few seconds',
  modes: CLUSTER,
  accepting: 'yes',
  durationMs: { long: 45_000, short: 20_000 },
  async inject(world, random) {
    let churning = true
    const loops = world.spares.map(async (spare) => {
      while (churning) {
        const running = spare.start()
        await pause(CHURN_MS.from + random.next() * (CHURN_MS.to - CHURN_MS.from))
        if (random.next() < 0.5 && running.pid > 0) process.kill(running.pid, 'SIGKILL')
        await running.stop()
      }
    })
    return {
      detail: '',
      victims: [],
      async end() {
        churning = false
        await Promise.all(loops)
      },
    }
  },
}

export const PROCESS_FAULTS: readonly Fault[] = [
  ...[...OWN_SERVICES, 'standalone'].flatMap((service) => [
    killFault(service, 'SIGKILL'),
    killFault(service, 'SIGTERM'),
    freezeFault(service),
  ]),
  churn,
].map((fault) => ({ ...fault, modes: fault.modes ?? BOTH }))
