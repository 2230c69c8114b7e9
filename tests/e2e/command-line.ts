/**
 * The command line as its users run it: a process with a folder of its own for what it keeps, from
 * the sources or from wherever it was installed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url)),
]

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface RunningCommand {
  pid: number
  stdout(): string
  stderr(): string
  /** The results so far, of a command with `--json`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the records' shape is what is tested
  records(): any[]
  write(text: string): void
  end(signal?: NodeJS.Signals): Promise<Ended>
}

export interface CommandLine {
  configDir: string
  /** @param input what its standard input has */
  run(args: readonly string[], input?: string, more?: Record<string, string>): Promise<Ended>
  start(args: readonly string[]): RunningCommand
  /** Ends what was started and removes what was kept. */
  close(): Promise<void>
}

export async function openCommandLine(
  env: Record<string, string>,
  command: readonly string[] = SOURCES,
): Promise<CommandLine> {
  const configDir = await mkdtemp(join(tmpdir(), 'posthorn-cli-'))
  const children = new Set<ChildProcess>()
  // npx starts others, which have to end with it.
  const isGroup = command !== SOURCES

  function begin(args: readonly string[], more: Record<string, string> = {}) {
    const [program = '', ...first] = command
    const child = spawn(program, [...first, ...args], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
        POSTHORN_CONFIG_DIR: configDir,
        ...env,
        ...more,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: isGroup,
    })
    children.add(child)
    const printed = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (printed.stdout += chunk))
    child.stderr.on('data', (chunk) => (printed.stderr += chunk))
    // It may have ended before it read everything.
    child.stdin.on('error', () => {})
    const ended = new Promise<Ended>((done) => {
      child.once('close', (code) => {
        children.delete(child)
        done({ code: code ?? -1, ...printed })
      })
    })
    return { child, printed, ended }
  }

  return {
    configDir,
    async run(args, input = '', more = {}) {
      const { child, ended } = begin(args, more)
      child.stdin.end(input)
      return await ended
    },
    start(args) {
      const { child, printed, ended } = begin(args)
      return {
        pid: child.pid ?? 0,
        stdout: () => printed.stdout,
        stderr: () => printed.stderr,
        records: () =>
          printed.stdout
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as unknown),
        write: (text) => child.stdin.write(text),
        async end(signal = 'SIGINT') {
          child.kill(signal)
          return await ended
        },
      }
    },
    async close() {
      for (const child of children) {
        const gone = new Promise((done) => child.once('close', done))
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
        else child.kill('SIGKILL')
        await gone
      }
      await rm(configDir, { recursive: true, force: true })
    },
  }
}
