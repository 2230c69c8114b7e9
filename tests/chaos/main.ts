/**
 * `npm run chaos`: runs round after round, prints the table, and writes RESULTS.md. Ends with 1
 * when a round did not hold.
 */
import { appendFile, copyFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { commandOptions } from '@posthorn/testing/command-options'
import { fillBacklog } from './backlog-round.ts'
import { startLoad } from './load-process.ts'
import { readOptions, USAGE } from './options.ts'
import { renderResults, renderTable } from './results.ts'
import { type RoundForm, runRound } from './run-round.ts'
import { planRounds, type Round } from './schedule.ts'
import { createTargets } from './targets.ts'
import type { RoundResult } from './evaluate-round.ts'
import { watchProcesses } from './watch.ts'
import { startWorld } from './world.ts'

const options = commandOptions(USAGE, readOptions)
const resultsFile = new URL('RESULTS.md', import.meta.url)
const form: RoundForm = {
  name: options.form,
  perSecond: options.perSecond,
  beforeMs: options.form === 'long' ? 10_000 : 5_000,
  afterMs: options.form === 'long' ? 10_000 : 5_000,
}

function say(line: string): void {
  process.stderr.write(`chaos: ${line}\n`)
}

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopping = true
    say('stopping; the current round does not count')
  })

/** How often a run may fail by an error of its own before it is given up. */
const MAX_WORLDS = 4

/**
 * Runs round after round. After an error of the run itself, a new world goes on with the next
 * round.
 */
async function runAll(left: Round[], backlog: number, results: RoundResult[]): Promise<void> {
  for (let world = 1; left.length > 0 || backlog > 0; world += 1) {
    try {
      await runInWorld(left, backlog, results)
      return
    } catch (error) {
      process.exitCode = 1
      if (world === MAX_WORLDS) throw error
      say(`${Error.isError(error) ? error.stack : String(error)}: starting a new world ...`)
      backlog = 0
    }
  }
}

/** @param left the rounds still to run; each is removed as it begins */
async function runInWorld(left: Round[], backlog: number, results: RoundResult[]): Promise<void> {
  const withDisk = left.some(({ faults }) => faults.some(needsDisk))
  const withProxies = backlog > 0 || left.some(needsProxies)
  say(
    `${left.length} rounds, seed ${options.seed}, ${options.mode}` +
      `${withProxies ? ', with proxies' : ''}: starting ...`,
  )
  const load = await startLoad()
  const world = await startWorld(options.mode, {
    sinkPort: load.port,
    withDisk,
    withProxies,
  }).catch(async (error: unknown) => {
    await load.stop()
    throw error
  })
  const watch = watchProcesses(world)
  try {
    const scene = { world, load, watch, form, targets: await createTargets(world) }
    if (backlog > 0) {
      const result = await fillBacklog(backlog, scene)
      results.push(result)
      await recordResult(result)
    }
    for (let round = left.shift(); round !== undefined; round = left.shift()) {
      if (stopping) return
      if (round.faults.some(needsDisk) && world.disk === undefined) {
        say(`round ${round.number}: left out, because no file system could be mounted for Postgres`)
        continue
      }
      const result = await runRound(round, scene)
      // An interrupt from the terminal reaches the services as well, so the round does not count.
      if (stopping) return
      results.push(result)
      await recordResult(result)
      if (result.problems.length > 0) await copyLogs(round, world.logPath, world.supervisorLines)
      // The services append to the log, which would fill the disk in a long run.
      await truncate(world.logPath)
    }
  } finally {
    await watch.stop()
    await world.stop()
    await load.stop()
  }
}

function needsProxies({ faults }: Round): boolean {
  return faults.some((fault) => fault.needsProxies === true)
}

function needsDisk({ name }: { name: string }): boolean {
  return name === 'postgres-disk-full'
}

async function recordResult(result: RoundResult): Promise<void> {
  const { number, faults, detail, accepted, lost, repeated, healMs, problems } = result
  const evaluation = problems.length === 0 ? 'holds' : `DOES NOT HOLD: ${problems.join(' | ')}`
  say(
    `round ${number} ${faults} (${detail}): ${accepted} accepted, ${lost} lost, ` +
      `${repeated} repeated, healed in ${(healMs / 1_000).toFixed(1)} s: ${evaluation}`,
  )
  if (options.journal !== undefined)
    await appendFile(options.journal, `${JSON.stringify(result)}\n`)
}

/** Keeps the services' log of a failed round, because the run's folder is removed. */
async function copyLogs(
  { number }: Round,
  logPath: string,
  supervisorLines: string[],
): Promise<void> {
  if (options.journal === undefined) return
  const kept = `${options.journal}.round-${number}.log`
  await copyFile(logPath, kept)
  await appendFile(kept, `${supervisorLines.join('\n')}\n`)
}

async function readJournal(): Promise<RoundResult[]> {
  if (options.journal === undefined) return []
  const text = await readFile(options.journal, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RoundResult)
}

/**
 * Whether the journal has this round of the same plan: its seed depends on the run's seed and on
 * all rounds before it.
 */
function isDone(round: Round, earlier: readonly RoundResult[]): boolean {
  const { mode, perSecond } = options
  return earlier.some(
    (result) =>
      result.seed === round.seed &&
      result.number === round.number &&
      result.mode === mode &&
      result.form === form.name &&
      result.perSecond === perSecond,
  )
}

const earlier = await readJournal()
const rounds = planRounds(options).slice(options.skip)
const left = rounds.filter((round) => !isDone(round, earlier))
const results: RoundResult[] = []
try {
  await runAll(
    left.filter((round) => !needsProxies(round)),
    0,
    results,
  )
  await runAll(left.filter(needsProxies), options.backlog, results)
} finally {
  const all = options.journal === undefined ? results : await readJournal()
  process.stdout.write(renderTable(results))
  // Figures of some faults alone are not the product's figures.
  const isWhole = options.journal !== undefined || options.only.length === 0
  if (isWhole && all.length > 0) await writeFile(resultsFile, renderResults(all))
}
if (results.some(({ problems }) => problems.length > 0)) process.exitCode = 1
