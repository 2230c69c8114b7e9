/** `npm run chaos`: round after round, the table, and a file with it. Ends with 1 when anything did not hold. */
import { appendFile, copyFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { fillBacklog } from './backlog-round.ts'
import { startLoad } from './load-process.ts'
import { readOptions } from './options.ts'
import { renderResults, renderTable } from './results.ts'
import { type RoundForm, runRound } from './run-round.ts'
import { planRounds, type Round } from './schedule.ts'
import { createTargets } from './targets.ts'
import type { RoundResult } from './evaluate-round.ts'
import { watchProcesses } from './watch.ts'
import { startWorld } from './world.ts'

const options = readOptions(process.argv.slice(2))
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
    say('stopping; the round that is going on does not count')
  })

/** How often the world may fall apart by other than a verdict before the run is given up. */
const MAX_WORLDS = 4

/** Round by round; where one ended by an error of the run itself, a new world goes on with the next. */
async function runAll(left: Round[], backlog: number, results: RoundResult[]): Promise<void> {
  for (let world = 1; left.length > 0 || backlog > 0; world += 1) {
    try {
      await runInWorld(left, backlog, results)
      return
    } catch (error) {
      process.exitCode = 1
      if (world === MAX_WORLDS) throw error
      say(`${Error.isError(error) ? error.stack : String(error)}: starting all anew ...`)
      backlog = 0
    }
  }
}

/** @param left shrinks as they are begun */
async function runInWorld(left: Round[], backlog: number, results: RoundResult[]): Promise<void> {
  const withDisk = left.some(({ faults }) => faults.some(needsDisk))
  const withProxies = backlog > 0 || left.some(needsProxies)
  say(
    `${left.length} rounds, seed ${options.seed}, ${options.mode}${withProxies ? ', with proxies' : ''}: starting ...`,
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
        say(`round ${round.number}: not run, no file system of Postgres's own could be mounted`)
        continue
      }
      const result = await runRound(round, scene)
      // Whoever interrupts from a terminal interrupts the services as well.
      if (stopping) return
      results.push(result)
      await recordResult(result)
      if (result.problems.length > 0) await copyLogs(round, world.logPath, world.supervisorLines)
      // The services append: of a long run it would fill the disk.
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
  const { number, faults, detail, accepted, lost, repeated, healMs, problems: wrong } = result
  const verdict = wrong.length === 0 ? 'holds' : `DOES NOT HOLD: ${wrong.join(' | ')}`
  say(
    `round ${number} ${faults} (${detail}): ${accepted} accepted, ${lost} lost, ${repeated} repeated, healed in ${(healMs / 1_000).toFixed(1)} s: ${verdict}`,
  )
  if (options.journal !== undefined)
    await appendFile(options.journal, `${JSON.stringify(result)}\n`)
}

/** For whoever looks for the cause: the directory of the run is removed. */
async function copyLogs({ number }: Round, logPath: string, said: string[]): Promise<void> {
  if (options.journal === undefined) return
  const kept = `${options.journal}.round-${number}.log`
  await copyFile(logPath, kept)
  await appendFile(kept, `${said.join('\n')}\n`)
}

async function readJournal(): Promise<RoundResult[]> {
  if (options.journal === undefined) return []
  const text = await readFile(options.journal, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RoundResult)
}

/** Of the same plan: its seed is drawn from the run's, and all before it. */
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
  // A few faults by themselves are a look at them, not the figures of the product.
  const isWhole = options.journal !== undefined || options.only.length === 0
  if (isWhole && all.length > 0) await writeFile(resultsFile, renderResults(all))
}
if (results.some(({ problems: wrong }) => wrong.length > 0)) process.exitCode = 1
