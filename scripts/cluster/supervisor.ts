/** Runs each service as a process of its own, and starts one again that dies. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { HEAP_FLAGS } from '../heap.mjs'

export interface Supervised<Service extends string = string> {
  service: Service
  port: number
  /** The number of the process that runs now; 0 while none does. */
  readonly pid: number
  /** @param signal by default SIGINT: all end together. SIGTERM: others take over its work. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<void>
}

export interface SupervisorConfig {
  root: string
  environment: Record<string, string>
  say: (line: string) => void
  /** Called after every start. */
  onStart: () => void
  /** What each process is started with. */
  args?: readonly string[]
  /** The file descriptor that it prints to; by default ours. */
  output?: number
}

/** Soon after its end, but not so soon that a service which can't start keeps a processor busy. */
const RESTART_MS = 500
const STOP_MS = 30_000
/**
 * The gateway asks four times a second who is ready, and once where there are no requests: it asks
 * eight times, or twice, in this time.
 */
const LINGER_MS = '2000'
/**
 * A service ends when the pipe at its descriptor 3 does, so that none outlives a supervisor that
 * was killed.
 */
const END_WITH_US = new URL('../end-with-launcher.mjs', import.meta.url).href

export function superviseService<Service extends string>(
  service: Service,
  port: number,
  config: SupervisorConfig,
): Supervised<Service> {
  let child: ChildProcess | undefined
  let stopping = false
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    const main = join(config.root, 'services', service, 'src', 'main.ts')
    const flags = [
      '--disable-warning=ExperimentalWarning',
      ...HEAP_FLAGS,
      `--import=${END_WITH_US}`,
    ]
    child = spawn(process.execPath, [...flags, main, ...(config.args ?? [])], {
      cwd: config.root,
      env: { ...config.environment, PORT: String(port), SHUTDOWN_LINGER_MS: LINGER_MS },
      stdio: ['ignore', config.output ?? 'inherit', config.output ?? 'inherit', 'pipe'],
    })
    child.once('exit', (code, signal) => {
      if (stopping) return
      config.say(`${service} ended (${signal ?? `code ${code}`}): starting it again`)
      timer = setTimeout(start, RESTART_MS)
    })
    config.onStart()
  }

  start()
  return {
    service,
    port,
    get pid() {
      return child?.exitCode === null && child.signalCode === null ? (child.pid ?? 0) : 0
    },
    async stop(signal = 'SIGINT') {
      stopping = true
      clearTimeout(timer)
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((resolve) => child?.once('exit', resolve))
      // Where all of them end together nobody takes over, and it need not linger.
      child.kill(signal)
      const late = setTimeout(() => child?.kill('SIGKILL'), STOP_MS)
      await gone
      clearTimeout(late)
    },
  }
}
