/**
 * The simulation as part of every test run: a few hundred seeds hold, a seed repeats itself step by
 * step, and removed guards are noticed. `npm run simulate` runs ten thousand seeds and all guards
 * (docs/reliability.md).
 *
 * It runs in processes of its own, because it replaces the clocks of the process that it runs in.
 */
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { isLongForm } from '@posthorn/testing/long-form'
import { TOKENS_OF } from './check-tokens.ts'
import { IDLE, IDLE_STATE } from './fault-injection.ts'
import { PATCHES } from './mutations.ts'
import { AIMED_STEPS } from './plan.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** About 4 s of a processor. */
const SEEDS = 400
/**
 * Most guards are noticed within the first dozens of seeds. Any change of the product's steps
 * changes what is drawn, so there is room for a guard that is unlucky then.
 */
const MAX_UNTIL_NOTICED = 800

/** Guards that some hundred seeds notice; `npm run simulate -- --mutations` tries them all. */
const QUICKLY_NOTICED = [
  'fan-out: only of events that wait for it',
  'fan-out: in the order of acceptance',
  'fan-out: a delivery waits in due',
  'renewal: the token',
  'beginning: the token',
  'recording: the counts of the event',
  'recording: what has ended is not due',
  'parking: a backlog row',
  'backlog: what is taken is leased',
  'lane: the next in its order',
  'lane: at its end behind a head',
  'replay: only of what may be replayed',
  'claims: each for one alone',
  'offsets: only what is done is committed',
  'a backlog is looked at when its circuit has been probed',
  'one event for each idempotency key',
  'recording: the next try gets its time',
  'backlog: the token of who takes it',
  'a lane’s head goes only under its lease',
  'replay: attempts are counted anew',
  'a lane’s head counts its lease from before it asked',
  'what Postgres did not take is recorded again',
  'an announcement that has expired is asked for',
  'recording in lanes: the next in the same transaction',
  'nothing but a probe goes through an open circuit',
  'a message is done when its delivery is taken on',
  'reading: finished messages free capacity',
  'recording in lanes: the next is released',
  'a paused endpoint gets nothing',
  'a lane’s head is claimed in Postgres',
]

/** One that a seed notices in some nine hundred on average, and now and then in thousands. */
const SELDOM_NOTICED = 'retention: a day is closed before it is taken out'
const MAX_UNTIL_SELDOM_NOTICED = 4_000

async function simulate(...args: string[]): Promise<{ code: number | null; output: string }> {
  const flags = ['--disable-warning=ExperimentalWarning', 'tests/simulation/main.ts', '--jobs', '1']
  const env = { ...process.env, NODE_OPTIONS: '' }
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: join(ROOT),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

test('the services keep their promises whatever faults are injected', async () => {
  const { code, output } = await simulate('--seeds', String(SEEDS))
  expect(output).toContain(' 0 failed')
  expect(code).toBe(0)
}, 120_000)

test('a seed repeats itself, step by step', async () => {
  const [one, other] = [await simulate('--seed', '17'), await simulate('--seed', '17')]
  expect(one.output.split('\n').length).toBeGreaterThan(50)
  expect(other.output).toBe(one.output)
}, 60_000)

test.each(Object.entries(PATCHES))(
  'the file has the text of the guard exactly once: %s',
  async (_, patch) => {
    const source = await readFile(join(ROOT, patch.file), 'utf8')
    expect(source.split(patch.find)).toHaveLength(2)
  },
)

test('the steps that faults and checks name exist', async () => {
  const folder = join(ROOT, 'tests/simulation')
  const naming = ['plan.ts', 'fault-injection.ts', 'check-tokens.ts']
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !naming.includes(name),
  )
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const all = texts.join('\n')
  const named = [...AIMED_STEPS, ...IDLE, ...IDLE_STATE, ...Object.keys(TOKENS_OF)]
  expect(named.filter((name) => !all.includes(`'${name}'`))).toEqual([])
})

test('the log lines by which a repair shows are written by the scheduler', async () => {
  const [world, scheduler] = await Promise.all(
    ['tests/simulation/world.ts', 'services/retry-scheduler/src/app.ts'].map((path) =>
      readFile(join(ROOT, path), 'utf8'),
    ),
  )
  const names = world?.match(/'scheduler\.[a-z-]+'/g) ?? []
  expect(names).toHaveLength(2)
  expect(names.filter((name) => scheduler?.includes(name) !== true)).toEqual([])
})

test('removed guards are noticed', async () => {
  // In the short form some of them.
  const taken = QUICKLY_NOTICED.filter((_, at) => isLongForm || at % 4 === 0)
  await expectNoticed(taken, MAX_UNTIL_NOTICED)
}, 600_000)

test('a removed guard against a rare race is noticed', async () => {
  await expectNoticed([SELDOM_NOTICED], MAX_UNTIL_SELDOM_NOTICED)
}, 600_000)

async function expectNoticed(guards: readonly string[], seeds: number): Promise<void> {
  const names = guards.flatMap((name) => ['--without', name])
  const { output } = await simulate('--mutations', '--seeds', String(seeds), ...names)
  const missed = guards.filter((name) => !output.includes(`: ${name}\n`))
  expect(missed).toEqual([])
  expect(output).not.toContain('not noticed')
}
