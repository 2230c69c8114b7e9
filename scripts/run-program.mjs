/** Runs the programs that tests are made of: each comes to an end, with all that it has started. */
import { spawn, spawnSync } from 'node:child_process'
import { root, say } from './prepare.mjs'

/** Jest's workers get half a second each to end; what takes longer does not end by itself. */
const EXIT_TIMEOUT_MS = 15_000

/**
 * Runs a program to its end and answers its exit code. Everything it prints is for people: it goes
 * to stderr, or, of a quiet one, back to the caller.
 *
 * One that goes on although its work `hasEnded`, or that never comes to its end, is ended with all
 * it has started.
 */
export async function run(
  command,
  args,
  childEnv,
  { timeoutMs, hasEnded = () => false, isQuiet = false },
) {
  const output = isQuiet ? 'pipe' : 2
  const child = spawn(command, args, {
    cwd: root,
    env: childEnv,
    stdio: ['ignore', output, output],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (printed += text))
  let interrupted = false
  const pass = (signal) => {
    interrupted = true
    child.kill(signal)
  }
  process.on('SIGTERM', pass).on('SIGINT', pass)
  const startedAt = performance.now()
  let endedAt
  const watch = setInterval(() => {
    if (hasEnded()) endedAt ??= performance.now()
    const now = performance.now()
    if (endedAt !== undefined && now - endedAt > EXIT_TIMEOUT_MS) {
      say(
        'the tests are done, but something they started goes on; it is ended now, and counts as a failure',
      )
    } else if (now - startedAt > timeoutMs) {
      say(`${command} did not end within ${timeoutMs / 60_000} minutes; it is ended now`)
    } else return
    clearInterval(watch)
    for (const pid of descendants(child.pid)) kill(pid)
    child.kill('SIGKILL')
  }, 500)
  const code = await new Promise((done) => {
    child.once('error', (error) => {
      say(`${command}: ${error.message}`)
      done(1)
    })
    // Not its exit: what it printed last may still be on its way.
    child.once('close', (status) => done(status ?? 1))
  })
  clearInterval(watch)
  process.removeListener('SIGTERM', pass).removeListener('SIGINT', pass)
  if (interrupted) process.exit(130) // the stores end with this process
  return { code, printed }
}

function descendants(pid) {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent) =>
    pairs.filter(([, ppid]) => ppid === parent).flatMap(([one]) => [one, ...below(one)])
  return below(pid)
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}
