/** A shell in which the blocks of a page run one after the other, as in a reader's terminal. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `once`: a command that fails ends the shell. `tried`: the shell goes on to the block's end.
 * `refused`: so it does, and answers of 4xx are no failures.
 */
export type BlockMode = 'once' | 'tried' | 'refused'

export interface BlockResult {
  /** The exit status of the last command. */
  status: number
  stdout: string
}

export interface GuideShell {
  /** Fails where the shell ends by the block. */
  run(text: string, mode: BlockMode): Promise<BlockResult>
  /** Starts a block that goes on until the shell is closed. */
  start(text: string): void
  /** What the blocks printed that were started. */
  printed(): string
  close(): Promise<void>
}

const END = 'end-of-block'
const BEFORE: Record<BlockMode, string> = {
  once: 'set -e; unset MAY_FAIL',
  tried: 'set +e; unset MAY_FAIL',
  refused: 'set +e; export MAY_FAIL=1',
}
const SETTINGS = ['--noprofile', '--norc', '-euo', 'pipefail']

export function openShell(folder: string, env: Record<string, string>): GuideShell {
  const options = { cwd: folder, env, detached: true, stdio: 'pipe' } as const
  const bash = spawn('bash', SETTINGS, options)
  const closed = new Promise<void>((resolve) => bash.once('close', () => resolve()))
  const log = join(folder, '.started.log')
  let stdout = ''
  let stderr = ''
  let blocks = 0
  let look = (): void => {}
  bash.stdout.on('data', (chunk) => {
    stdout += chunk
    look()
  })
  bash.stderr.on('data', (chunk) => (stderr += chunk))
  bash.once('close', () => look())
  // The shell may have ended by an earlier block, whose failure is what the test tells.
  bash.stdin.on('error', () => {})

  function keep(text: string): string {
    blocks += 1
    const path = join(folder, `.block-${blocks}.sh`)
    writeFileSync(path, text)
    return path
  }
  const printed = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '')

  return {
    async run(text, mode) {
      const path = keep(text)
      stdout = ''
      stderr = ''
      const end = new RegExp(`\\n${END} ${blocks} (\\d+)\\n$`)
      const done = new Promise<BlockResult>((resolve, reject) => {
        look = () => {
          const [all, status] = end.exec(stdout) ?? []
          if (all !== undefined)
            return resolve({ status: Number(status), stdout: stdout.slice(0, -all.length) })
          if (bash.exitCode === null && bash.signalCode === null) return
          reject(new Error(`this block failed:\n${text}\n${stdout}${stderr}\n${printed()}`))
        }
      })
      const commands = [BEFORE[mode], `source ${path} </dev/null`]
      bash.stdin.write(`${commands.join('\n')}\nprintf '\\n${END} ${blocks} %s\\n' $?\n`)
      look()
      return await done
    },
    start(text) {
      bash.stdin.write(`( source ${keep(text)} ) </dev/null >> ${log} 2>&1 &\n`)
    },
    printed,
    async close() {
      // The whole group: what was started ends with it.
      if (bash.pid !== undefined && bash.exitCode === null) process.kill(-bash.pid, 'SIGKILL')
      await closed
    },
  }
}
