/**
 * `npm test [-- [--all | --only | --static] <paths and options of Jest>]`: what must hold, and one
 * line that counts it.
 *
 * Beside each other go the checks that need nothing running, each counted as one test; unit,
 * integration and end-to-end tests, several files at a time; and, one at a time, what starts a
 * product of its own. Then come the tests that measure, one file at a time, and the load suite.
 * Stores and products that tests share are started once, when the first test asks, and stopped at
 * the end.
 *
 * `--all` is the whole: the files that `jest.config.mjs` leaves out of the short form, the long
 * form of whatever has one (`POSTHORN_TEST_LONG`), and the load suite in its quick form, each row
 * of which counts as a test in each mode. `--only` leaves out the static checks, `--static` the
 * rest; `--peers` runs what needs programs of others, and nothing else.
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { environment, prepare, preparePages, root, say } from './prepare.mjs'
import { run } from './run-program.mjs'

/** What has not changed since the last run is not checked again: 25 s of a processor become 7. */
const remembered = (name) => [
  '--incremental',
  '--tsBuildInfoFile',
  join(root, 'node_modules', '.cache', 'posthorn', `${name}.tsbuildinfo`),
]
const STATIC_CHECKS = [
  {
    name: 'types',
    command: ['tsc', '-p', '.', ...remembered('types')],
    fix: 'correct the types named above',
  },
  {
    name: 'types of the pages',
    command: ['tsc', '-p', 'web', ...remembered('types-of-the-pages')],
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
/**
 * Far over what any part takes, also on a machine that takes twice as long as another: one that
 * hangs must end as a failure.
 */
const RUN_TIMEOUT_MS = (process.argv.includes('--all') ? 80 : 40) * 60_000
/** Several times what the tests' files take at once. */
const SCRATCH_BYTES = 4 * 1024 ** 3
/**
 * Beside the file that has a product of its own. Many tests of the short form wait, so that two
 * processors have room for four; those of the long form work.
 */
const WORKERS = { short: 4, long: 2 }
/** How many files are named as the slowest. */
const SLOWEST = 10
/** How much of each failure is told once more at the end: output of half an hour is above it. */
const FAILURE_CHARACTERS = 400
/** Jest's words. */
const FILE_FAILED = 'Test suite failed to run'

const options = new Set(['--all', '--only', '--static', '--peers'])
const own = process.argv.slice(2).filter((argument) => options.has(argument))
const forJest = process.argv.slice(2).filter((argument) => !options.has(argument))
const isLong = own.includes('--all')
const isShort = !isLong && forJest.length === 0

const node = prepare()
const env = {
  ...environment(node),
  ...makeScratch(),
  ...(isLong ? { POSTHORN_TEST_LONG: '1' } : {}),
  ...(isShort ? { POSTHORN_TEST_SHORT: '1' } : {}),
}
const total = { passed: 0, failed: 0 }
/** How long each test file took. */
const tookMs = new Map()
/** What failed, each with the beginning of its reason. */
const failures = []

if (own.includes('--static')) await runStaticChecks()
else if (own.includes('--peers'))
  await runJest('peers', ['--selectProjects', 'peers', '-i', ...forJest], env)
else {
  preparePages(node)
  await runTests()
}
if (tookMs.size > SLOWEST) saySlowest()
if (failures.length > 0) say(`what failed:\n${failures.join('\n')}`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exit(total.failed === 0 ? 0 : 1)

/**
 * Tests keep their files in memory where there is plenty: a database is a thousand small files,
 * each test file has one, and making it takes 20 ms there and 400 ms on the disk of a virtual
 * machine.
 */
function makeScratch() {
  const memory = '/dev/shm'
  const prefix = 'posthorn-tests-'
  if (!existsSync(memory)) return {}
  for (const name of readdirSync(memory).filter((one) => one.startsWith(prefix))) {
    // What a run left behind that was killed.
    const pid = name.slice(prefix.length).split('-', 1)[0]
    if (!existsSync(join('/proc', pid)))
      rmSync(join(memory, name), { recursive: true, force: true })
  }
  const { bavail, bsize } = statfsSync(memory)
  if (Math.min(bavail * bsize, freemem()) < SCRATCH_BYTES) return {}
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  // As root Postgres runs as another user, who must get through to its files.
  chmodSync(folder, 0o711)
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    } catch {
      // After an interruption something may still write there; the next run removes it.
    }
  })
  return { TMPDIR: folder }
}

async function runTests() {
  const stores = await startOwner('libs/testing/src/stores-main.ts')
  const storesEnv = { ...env, POSTHORN_TEST_STORES: stores.url }
  const products = await startOwner('tests/e2e/products/main.ts', storesEnv)
  const testEnv = { ...storesEnv, POSTHORN_TEST_PRODUCTS: products.url }
  const isPart = own.includes('--only')
  const projects = ['unit', 'int', 'e2e', ...(isPart ? ['tidy'] : [])]
  const select = (workers, ...names) => [
    '--selectProjects',
    ...names,
    `--maxWorkers=${workers}`,
    ...forJest,
  ]
  const [ran, ranOwn] = await Promise.all([
    runJest('tests', select(isLong ? WORKERS.long : WORKERS.short, ...projects), testEnv),
    // One after the other: each takes a gigabyte of memory.
    runJest('tests with a product of their own', select(1, 'own'), testEnv),
    ...(isPart ? [] : [runStaticChecks()]),
  ])
  const measured = await runJest('tests that measure', select(1, 'measured'), testEnv)
  if (isLong && forJest.length === 0) await runLoad()
  await products.stop()
  await stores.stop()
  if (ran + ranOwn + measured === 0) {
    total.failed += 1
    say(`no test matches ${forJest.join(' ')}`)
  }
}

/** One after the other, beside the tests: most of them use every processor that there is. */
async function runStaticChecks() {
  for (const { name, command, fix } of STATIC_CHECKS) {
    const [program, ...args] = command
    const { code, printed } = await run(join(root, 'node_modules', '.bin', program), args, env, {
      timeoutMs: RUN_TIMEOUT_MS,
      isQuiet: true,
    })
    if (code === 0) total.passed += 1
    else {
      total.failed += 1
      noteFailure(name, printed)
      process.stderr.write(printed)
      say(`${name} failed. To fix it: ${fix}`)
    }
  }
  await runJest('tidy', ['--selectProjects', 'tidy'], env)
}

/** Answers how many tests ran. */
async function runJest(name, args, jestEnv) {
  say(`${name} ...`)
  const dir = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  const results = join(dir, 'results.json')
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules', jest]
  const report = ['--passWithNoTests', '--json', `--outputFile=${results}`]
  const hasEnded = () => existsSync(results)
  const { code } = await run(node, [...flags, ...report, ...args], jestEnv, {
    timeoutMs: RUN_TIMEOUT_MS,
    hasEnded,
  })
  const counted = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : undefined
  rmSync(dir, { recursive: true, force: true })
  for (const result of counted?.testResults ?? []) {
    const file = relative(root, result.name)
    tookMs.set(file, result.endTime - result.startTime)
    noteFailedTests(file, result)
  }
  const passed = counted?.numPassedTests ?? 0
  // A file that could not run, or that left something open, is a failure that no test of it counts.
  const failed = (counted?.numFailedTests ?? 0) + (counted?.numRuntimeErrorTestSuites ?? 0)
  total.passed += passed
  countFailed(name, code, failed)
  if (code !== 0) say(`${name} failed. To see one file again: npm test -- --only <its path>`)
  return passed + failed
}

/** A program that fails and names no failure, or that had to be ended, counts as one. */
function countFailed(name, code, failed) {
  total.failed += code !== 0 && failed === 0 ? 1 : failed
  if (code !== 0 && failed === 0)
    noteFailure(name, 'It failed as a whole: see above what it printed.')
}

function noteFailedTests(file, { status, message, assertionResults }) {
  const failed = assertionResults.filter((one) => one.status === 'failed')
  for (const { fullName, failureMessages } of failed)
    noteFailure(`${file}: ${fullName}`, failureMessages.join('\n'))
  // What is of no test: the file itself, or a hook after all of them.
  const ofFile = failed.length === 0 ? 0 : message.indexOf(FILE_FAILED)
  if (status === 'failed' && ofFile >= 0) noteFailure(file, message.slice(ofFile))
}

function noteFailure(name, reason) {
  const told = stripVTControlCharacters(reason).trim().slice(0, FAILURE_CHARACTERS)
  failures.push(`  ${name}\n    ${told.replaceAll('\n', '\n    ')}`)
}

function saySlowest() {
  const slowest = [...tookMs].sort(([, x], [, y]) => y - x).slice(0, SLOWEST)
  const lines = slowest.map(([file, ms]) => `  ${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`)
  say(`the slowest files:\n${lines.join('\n')}`)
}

async function runLoad() {
  say('load --quick ...')
  const dir = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  const report = join(dir, 'report.json')
  const main = join(root, 'tests/load/main.ts')
  const flags = ['--disable-warning=ExperimentalWarning', main, '--quick', '--report', report]
  const { code } = await run(node, flags, env, { timeoutMs: RUN_TIMEOUT_MS })
  const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  rmSync(dir, { recursive: true, force: true })
  total.passed += counted?.passed ?? 0
  for (const failure of counted?.failures ?? []) noteFailure('load', failure)
  const failed = counted?.failed ?? 0
  countFailed('load', code, failed)
  if (code !== 0) say('load failed. To see it again: npm run load -- --quick')
}

/**
 * A process that owns what tests share: it ends with our end of its standard input, whatever
 * happens to us.
 */
async function startOwner(file, ownerEnv = env) {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(root, file)], {
    cwd: root,
    env: ownerEnv,
    stdio: ['pipe', 'pipe', 2],
    detached: true,
  })
  const lines = createInterface(child.stdout)
  const url = await new Promise((done) => {
    lines.once('line', done)
    child.once('exit', () => done(undefined))
  })
  if (url === undefined) {
    say(`${file}, which owns what tests share, ended; above is why`)
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
