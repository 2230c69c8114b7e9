/**
 * Watches the processes while faults are injected: whether they live, whether they report the
 * truth, and how much memory they take.
 */
import { readFile } from 'node:fs/promises'
import type { StoreName } from './faults/fault.ts'
import type { ServiceProcess, World } from './world.ts'

export interface ProcessWatch {
  /** What went wrong, each with its process. */
  problems: readonly string[]
  /** The most memory that each process took, in MB. */
  peakMemoryMb(): Record<string, number>
  /** From now on these may be away, until `reset`. */
  excuse(names: readonly string[]): void
  reset(): void
  /**
   * What is wrong with the `/health` of processes that are not excused: all stores must be well, or
   * exactly these down.
   */
  healthIs(down: readonly StoreName[]): Promise<string[]>
  stop(): Promise<void>
}

const LOOK_MS = 500
/**
 * Generous, because a dozen processes share the machine. A process whose event loop is stalled for
 * longer is not live.
 */
const ANSWER_MS = 4_000
/** `/health` gives a store 3 s before it says that it is down. */
const HEALTH_MS = 8_000
const PAGE_BYTES = 4_096
const MB = 1024 * 1024

export function watchProcesses(world: World): ProcessWatch {
  const wrong = new Set<string>()
  const most = new Map<string, number>()
  const excused = new Set<string>()
  const pids = new Map(world.processes.map(({ name, pid }) => [name, pid]))
  let going = true

  async function lookAt(node: ServiceProcess): Promise<void> {
    await measure(node)
    if (excused.has(node.name)) return
    const { pid } = node
    if (pid !== pids.get(node.name)) {
      wrong.add(`${node.name} ended by itself`)
      pids.set(node.name, pid)
      excused.add(node.name) // until it is up again
      return
    }
    for (const path of ['/live', '/ready']) {
      const status = await ask(node, path, ANSWER_MS).then(
        (answer) => answer.status,
        (error: unknown) => String(error),
      )
      // A question that was asked before a fault began says nothing.
      if (status !== 200 && !excused.has(node.name)) wrong.add(`${node.name}${path}: ${status}`)
    }
  }

  async function measure({ name, pid }: ServiceProcess): Promise<void> {
    const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
    const resident = Number(text.split(' ')[1] ?? 0) * PAGE_BYTES
    most.set(name, Math.max(most.get(name) ?? 0, resident / MB))
  }

  async function run(): Promise<void> {
    while (going) {
      await Promise.all(world.processes.map(lookAt))
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  async function health(node: ServiceProcess, down: readonly StoreName[]): Promise<string[]> {
    if (excused.has(node.name)) return []
    try {
      const { status, body } = await ask(node, '/health', HEALTH_MS)
      const { checks } = body as { checks: { name: StoreName; ok: boolean }[] }
      const failing = checks.filter(({ ok }) => !ok).map(({ name }) => name)
      const isRight =
        status === (down.length > 0 ? 503 : 200) &&
        failing.sort().join() === [...down].sort().join()
      return isRight
        ? []
        : [
            `${node.name}/health: ${status}, down: ${failing.join() || 'none'}, not ${down.join() || 'none'}`,
          ]
    } catch (error) {
      return [`${node.name}/health: ${String(error)}`]
    }
  }

  const running = run()
  return {
    get problems() {
      return [...wrong]
    },
    peakMemoryMb: () =>
      Object.fromEntries([...most].map(([name, megabytes]) => [name, Math.round(megabytes)])),
    excuse(names) {
      for (const name of names) excused.add(name)
    },
    reset() {
      for (const { name, pid } of world.processes) pids.set(name, pid)
      excused.clear()
      wrong.clear()
      most.clear()
    },
    healthIs: async (down) =>
      (await Promise.all(world.processes.map((node) => health(node, down)))).flat(),
    async stop() {
      going = false
      await running
    },
  }
}

async function ask(node: ServiceProcess, path: string, timeoutMs: number) {
  const response = await fetch(`http://127.0.0.1:${node.port}${path}`, {
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: path === '/health' ? (JSON.parse(text) as unknown) : text,
  }
}
