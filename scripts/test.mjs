/**
 * `npm test [-- [--only | --static] <paths and options of Jest>]`: everything that must hold, and one line that counts it.
 *
 * First the checks that need nothing running, each counted as one test; then unit and integration tests, two files at a
 * time; then end-to-end tests, one file at a time. The stores that tests ask for are started once and stopped at the end.
 * Last, when no paths are given, the load suite in its quick form, each scenario of which counts as a test.
 * `--only` leaves out the static checks, `--static` the rest.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environment, prepare, root, say } from './prepare.mjs'

const STATIC_CHECKS = [
  {
    name: 'types',
    command: ['tsc', '-p', '.'],
    fix: 'correct the types named above',
  },
  {
    name: 'lint',
    command: ['oxlint', '--type-aware', '--deny-warnings', '--format=unix'],
    fix: 'correct what is named above; some of it "npm run fix" can do',
  },
  {
    name: 'format',
    command: ['biome', 'format', '.'],
    fix: 'npm run fix',
  },
  {
    name: 'dead code',
    command: ['knip', '--no-progress'],
    fix: 'remove what is named above, or use it',
  },
]
/** Over what a whole run may take (10 minutes): one that hangs must end as a failure. */
const RUN_TIMEOUT_MS = 12 * 60_000
/** Jest's workers get half a second each to end; what takes longer does not end by itself. */
const EXIT_TIMEOUT_MS = 15_000

const options = new Set(['--only', '--static'])
const own = process.argv.slice(2).filter((argument) => options.has(argument))
const forJest = process.argv.slice(2).filter((argument) => !options.has(argument))

const node = prepare()
const env = environment(node)
const total = { passed: 0, failed: 0 }

if (!own.includes('--only')) {
  for (const check of STATIC_CHECKS) await runStatic(check)
  await runJest('tidy', ['--selectProjects', 'tidy'], env)
}
if (!own.includes('--static')) {
  const ran = total.passed + total.failed
  const stores = await startStores()
  const projects = own.includes('--only') ? ['tidy', 'unit', 'int'] : ['unit', 'int']
  const withStores = { ...env, POSTHORN_TEST_STORES: stores.url }
  await runJest(
    'unit and integration tests',
    ['--selectProjects', ...projects, '--maxWorkers=2', ...forJest],
    withStores,
  )
  await runJest(
    'end-to-end tests',
    ['--selectProjects', 'e2e', '--maxWorkers=1', ...forJest],
    withStores,
  )
  await stores.stop()
  if (total.passed + total.failed === ran) {
    total.failed += 1
    say(`no test matches ${forJest.join(' ')}`)
  }
  if (process.argv.length === 2) await runLoad()
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exit(total.failed === 0 ? 0 : 1)

async function runStatic({ name, command: [program, ...args], fix }) {
  say(`${name} ...`)
  const code = await run(join(root, 'node_modules', '.bin', program), args, env)
  if (code === 0) total.passed += 1
  else {
    total.failed += 1
    say(`${name} failed. To fix it: ${fix}`)
  }
}

async function runJest(name, args, jestEnv) {
  say(`${name} ...`)
  const dir = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  const results = join(dir, 'results.json')
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules', jest]
  const report = ['--passWithNoTests', '--json', `--outputFile=${results}`]
  const hasEnded = () => existsSync(results)
  const code = await run(node, [...flags, ...report, ...args], jestEnv, hasEnded)
  const counted = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : undefined
  rmSync(dir, { recursive: true, force: true })
  total.passed += counted?.numPassedTests ?? 0
  // A file that could not run, or that left something open, is a failure that no test of it counts.
  const failed = (counted?.numFailedTests ?? 0) + (counted?.numRuntimeErrorTestSuites ?? 0)
  total.failed += code !== 0 && failed === 0 ? 1 : failed
  if (code !== 0) say(`${name} failed. To see one file again: npm test -- --only <its path>`)
}

async function runLoad() {
  say('load, quick ...')
  const dir = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  const report = join(dir, 'report.json')
  const main = join(root, 'tests/load/main.ts')
  const flags = ['--disable-warning=ExperimentalWarning', main, '--quick', '--report', report]
  const code = await run(node, flags, env)
  const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  rmSync(dir, { recursive: true, force: true })
  total.passed += counted?.passed ?? 0
  const failed = counted?.failed ?? 0
  total.failed += code !== 0 && failed === 0 ? 1 : failed
  if (code !== 0) say('load failed. To see it again: npm run load -- --quick')
}

/**
 * Runs a program to its end and answers its exit code. Everything it prints is for people: it goes to stderr.
 *
 * One that goes on although its work `hasEnded`, or that never comes to its end, is ended with all it has started.
 */
async function run(command, args, childEnv, hasEnded = () => false) {
  const child = spawn(command, args, { cwd: root, env: childEnv, stdio: ['ignore', 2, 2] })
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
    } else if (now - startedAt > RUN_TIMEOUT_MS) {
      say(`${command} did not end within ${RUN_TIMEOUT_MS / 60_000} minutes; it is ended now`)
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
    child.once('exit', (status) => done(status ?? 1))
  })
  clearInterval(watch)
  process.removeListener('SIGTERM', pass).removeListener('SIGINT', pass)
  if (interrupted) process.exit(130) // the stores end with this process
  return code
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

/** The stores' owner ends with our end of its standard input, whatever happens to us. */
async function startStores() {
  const child = spawn(
    node,
    ['--disable-warning=ExperimentalWarning', join(root, 'libs/testing/src/stores-main.ts')],
    { cwd: root, env, stdio: ['pipe', 'pipe', 2], detached: true },
  )
  const lines = createInterface(child.stdout)
  const url = await new Promise((done) => {
    lines.once('line', done)
    child.once('exit', () => done(undefined))
  })
  if (url === undefined) {
    say('the process that starts the stores for the tests ended; above is why')
    process.stdout.write(`${total.passed} passed, ${total.failed + 1} failed\n`)
    process.exit(1)
  }
  return {
    url,
    stop: async () => {
      const gone = new Promise((done) => child.once('exit', done))
      child.stdin.end()
      await gone
    },
  }
}
