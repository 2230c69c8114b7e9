/**
 * `npm run simulate`: runs seeds, and names those that fail. Ends with 1 when one did.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commandOptions, wholeNumber } from '@posthorn/testing/command-options'
import { loadMutated } from './load-mutated.ts'
import { type Mutation, MUTATIONS } from './mutations.ts'
import { type SimulationResult, simulate } from './world.ts'

const USAGE = `usage: npm run simulate -- [--seeds N] [--from N] [--jobs N]
  runs that many seeds, 10,000 unless told
  --seed N (or SEED=N) runs one seed and prints its steps
  --mutations removes one guard after another from the product and says whether any seed notices
  --without "<name>" removes the named guards only`

const options = commandOptions(USAGE, (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '10000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string', default: process.env['SEED'] },
      without: { type: 'string', multiple: true, default: [] },
      mutations: { type: 'boolean', default: false },
      jobs: { type: 'string', default: String(availableParallelism()) },
    },
  })
  const { seed, seeds, from, jobs, mutations, without } = values
  return {
    seed: seed === undefined ? undefined : wholeNumber('--seed', seed),
    first: wholeNumber('--from', from),
    count: wholeNumber('--seeds', seeds, 1),
    jobs: wholeNumber('--jobs', jobs, 1),
    mutations,
    without: without.map(mutationOf),
  }
})
const { first, count, jobs } = options
const NOTHING: ReadonlySet<string> = new Set()
const MAX_SHOWN = 20

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

type Run = (seed: number, trace: boolean) => Promise<SimulationResult>

async function runOf(mutation: Mutation | undefined): Promise<Run> {
  if (mutation === undefined) return (seed, trace) => simulate({ seed, without: NOTHING, trace })
  const { name, patch } = mutation
  const run = patch === null ? simulate : await loadMutated(name)
  const without = patch === null ? new Set([name]) : NOTHING
  return (seed, trace) => run({ seed, without, trace })
}

function mutationOf(name: string): Mutation {
  const known = MUTATIONS.find((one) => one.name === name)
  if (known === undefined)
    throw new Error(
      `--without: no such guard; there are: ${MUTATIONS.map((one) => one.name).join('; ')}`,
    )
  return known
}

async function showOne(seed: number): Promise<void> {
  const run = await runOf(options.without[0])
  const { lines, violations } = await run(seed, true)
  for (const line of lines) say(line)
  say(violations.length === 0 ? 'everything held' : `WRONG: ${violations.join('; ')}`)
  process.exitCode = violations.length > 0 ? 1 : 0
}

async function runMany(): Promise<void> {
  const run = await runOf(options.without[0])
  const began = performance.now()
  const sums = { failed: 0, steps: 0, arrivals: 0, repeats: 0, faults: 0, hours: 0 }
  for (let seed = first; seed < first + count; seed += 1) {
    const { violations, steps, arrivals, repeats, faults, durationMs } = await run(seed, false)
    sums.steps += steps
    sums.arrivals += arrivals
    sums.repeats += repeats
    sums.faults += faults
    sums.hours += durationMs / 3_600_000
    if (violations.length === 0) continue
    sums.failed += 1
    if (sums.failed <= MAX_SHOWN) say(`seed ${seed}: ${violations.join('; ')}`)
  }
  const { failed, steps, arrivals, repeats, faults, hours } = sums
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  say(
    `seeds ${first} to ${first + count - 1} in ${seconds} s: ${failed} failed; ${hours.toFixed(1)} h of virtual time, ` +
      `${steps} steps, ${faults} faults, ${arrivals} attempts, ${repeats} of them sent before`,
  )
  process.exitCode = failed > 0 ? 1 : 0
}

/** Runs one process for each processor, each with its share of the guards. */
async function mutateInParallel(mutations: readonly Mutation[]): Promise<void> {
  const seeds = ['--jobs', '1', '--from', String(first), '--seeds', String(count), '--mutations']
  const shares = Map.groupBy(mutations, (one) => mutations.indexOf(one) % jobs)
  await Promise.all(
    [...shares.values()].map((share) =>
      runProcess([...seeds, ...share.flatMap(({ name }) => ['--without', name])]),
    ),
  )
}

/** Runs one process for each processor, each with its share of the seeds. */
async function runInParallel(): Promise<void> {
  const share = Math.ceil(count / jobs)
  const codes = await Promise.all(
    Array.from({ length: Math.ceil(count / share) }, (_, job) => {
      const seeds = Math.min(share, count - job * share)
      const own = ['--jobs', '1', '--from', String(first + job * share), '--seeds', String(seeds)]
      const more = options.without.flatMap(({ name }) => ['--without', name])
      return runProcess([...own, ...more])
    }),
  )
  process.exitCode = Math.max(...codes)
}

function runProcess(args: readonly string[]): Promise<number> {
  const flags = [...process.execArgv, fileURLToPath(import.meta.url)]
  // A process ends when the pipe from its launcher closes, so each child has a pipe to this
  // process.
  const stdio = ['inherit', 'inherit', 'inherit', 'pipe'] as const
  const child = spawn(process.execPath, [...flags, ...args], { stdio: [...stdio] })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

async function mutate(mutations: readonly Mutation[]): Promise<void> {
  let missed = 0
  for (const mutation of mutations) {
    const noticed = await firstNoticed(mutation)
    if (noticed === null) missed += 1
    say(`${noticed === null ? `not noticed in ${count} seeds` : noticed}: ${mutation.name}`)
  }
  say(`${mutations.length - missed} of ${mutations.length} noticed`)
}

async function firstNoticed(mutation: Mutation): Promise<string | null> {
  const run = await runOf(mutation)
  for (let seed = first; seed < first + count; seed += 1) {
    const wrong = await run(seed, false).then(
      ({ violations }) => violations[0],
      (error: Error) => error.message,
    )
    if (wrong !== undefined) return `noticed by seed ${seed} (${wrong})`
  }
  return null
}

const mutated = options.without.length > 0 ? options.without : MUTATIONS
if (options.mutations && jobs > 1) await mutateInParallel(mutated)
else if (options.mutations) await mutate(mutated)
else if (options.seed !== undefined) await showOne(options.seed)
else if (jobs > 1) await runInParallel()
else await runMany()
