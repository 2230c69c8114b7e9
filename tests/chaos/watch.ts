/**
 * Watches the processes while faults are injected: whether they live, whether they report the
 * truth, and how much memory they take.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { StoreName } from './faults/fault.ts'
import type { ServiceProcess, World } from './world.ts'

export interface ProcessWatch {
  /** What went problems, each with its process. */
  problems: readonly string[]
  /** The most memory that each process took, in MB. */
  peakMemoryMb(): Record<string, number>
  /** From now on these may be away, until `reset`. */
  excuse(names: readonly string[]): void
  reset(): void
  /**
   * What is wrong with the `/health` of processes that are not excused: all stores must be well,
   * or exactly these down.
   */
  healthIs(down: readonly StoreName[]): Promise<string[]>
  stop(): Promise<void>
}

const LOOK_MS = 500
/**
 * Generous, because a dozen processes share the machine. A service whose event loop is stalled for
 * longer is not live.
 */
const ANSWER_MS = 4_000
/** `/health` gives a store 3 s before it says that it is down. */
const HEALTH_MS = 8_000
const PAGE_BYTES = 4_096
const MB = 1024 * 1024

export function watchProcesses(world: World): ProcessWatch {
  const problems = new Set<string>()
  const most = new Map<string, number>()
  const excused = new Set<string>()
  const pids = new Map(world.processes.map(({ name, pid }) => [name, pid]))
  const isStandby = world.mode === 'standby'
  let going = true

  async function lookAt(service: ServiceProcess): Promise<void> {
    const { name } = service
    most.set(name, Math.max(most.get(name) ?? 0, await memoryMb(service)))
    if (excused.has(service.name)) return
    const { pid } = service
    if (pid !== pids.get(service.name)) {
      problems.add(`${service.name} ended by itself`)
      pids.set(service.name, pid)
      excused.add(service.name) // until it is up again
      return
    }
    for (const path of isStandby ? ['/live'] : ['/live', '/ready']) {
      let status = await statusOf(service, path)
      if (status !== 200 && isStandby) {
        // As it takes over, its port is nobody's for a moment.
        await pause(LOOK_MS)
        status = await statusOf(service, path)
      }
      // A question that was asked before a fault began says nothing.
      if (status !== 200 && !excused.has(service.name))
        problems.add(`${service.name}${path}: ${status}`)
    }
  }

  async function run(): Promise<void> {
    while (going) {
      await Promise.all(world.processes.map(lookAt))
      if (isStandby && excused.size === 0) {
        const ready = await findReady(world)
        // Asked before a fault began, the answers say nothing.
        if (ready.length !== 1 && excused.size === 0)
          problems.add(`ready: ${ready.join(' and ') || 'nobody'}`)
      }
      await pause(LOOK_MS)
    }
  }

  const running = run()
  return {
    get problems() {
      return [...problems]
    },
    peakMemoryMb: () =>
      Object.fromEntries([...most].map(([name, megabytes]) => [name, Math.round(megabytes)])),
    excuse(names) {
      for (const name of names) excused.add(name)
    },
    reset() {
      for (const { name, pid } of world.processes) pids.set(name, pid)
      excused.clear()
      problems.clear()
      most.clear()
    },
    healthIs: async (down) =>
      (
        await Promise.all(
          world.processes
            .filter(({ name }) => !excused.has(name))
            .map((service) => checkHealth(service, down)),
        )
      ).flat(),
    async stop() {
      going = false
      await running
    },
  }
}

/** Where one of two stands by, exactly one is to be ready. */
async function findReady({ processes }: World): Promise<string[]> {
  const ready = await Promise.all(
    processes.map(async (service) => {
      const { status } = await ask(service, '/ready', ANSWER_MS).catch(() => ({ status: 0 }))
      return status === 200 ? [service.name] : []
    }),
  )
  return ready.flat()
}

async function memoryMb({ pid }: ServiceProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return (Number(text.split(' ')[1] ?? 0) * PAGE_BYTES) / MB
}

/** @returns what is wrong with what `/health` says: exactly these stores must be down */
async function checkHealth(service: ServiceProcess, down: readonly StoreName[]): Promise<string[]> {
  try {
    const { status, body } = await ask(service, '/health', HEALTH_MS)
    const { checks } = body as { checks: { name: StoreName; ok: boolean }[] }
    const failing = checks.filter(({ ok }) => !ok).map(({ name }) => name)
    const isRight =
      status === (down.length > 0 ? 503 : 200) && failing.sort().join() === [...down].sort().join()
    if (isRight) return []
    const [says, expected] = [failing, down].map((names) => names.join() || 'none')
    return [`${service.name}/health: ${status}, down: ${says}, not ${expected}`]
  } catch (error) {
    return [`${service.name}/health: ${String(error)}`]
  }
}

async function statusOf(service: ServiceProcess, path: string): Promise<number | string> {
  return await ask(service, path, ANSWER_MS).then(
    (answer) => answer.status,
    (error: unknown) => String(error),
  )
}

async function ask(service: ServiceProcess, path: string, timeoutMs: number) {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: path === '/health' ? (JSON.parse(text) as unknown) : text,
  }
}
