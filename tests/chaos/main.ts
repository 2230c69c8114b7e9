/** `npm run chaos`: round after round, the table, and a file with it. Ends with 1 when anything did not hold. */
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { fillBacklog } from './backlog-round.ts'
import { startLoad } from './load-process.ts'
import { readOptions } from './options.ts'
import { renderResults, renderTable } from './results.ts'
import { type Form, runRound } from './run-round.ts'
import { planRounds, type Round } from './schedule.ts'
import { createTargets } from './targets.ts'
import type { RoundResult } from './verdict.ts'
import { watchProcesses } from './watch.ts'
import { startWorld } from './world.ts'

const options = readOptions(process.argv.slice(2))
const resultsFile = new URL('RESULTS.md', import.meta.url)
const form: Form = {
  name: options.form,
  perSecond: options.perSecond,
  beforeMs: options.form === 'long' ? 10_000 : 5_000,
  afterMs: options.form === 'long' ? 10_000 : 5_000,
}

function say(line: string): void {
  process.stderr.write(`chaos: ${line}\n`)
}

async function runAll(): Promise<RoundResult[]> {
  const rounds = planRounds(options).slice(options.skip)
  if (rounds.length === 0 && options.backlog === 0) return []
  const withDisk = rounds.some(({ faults }) => faults.some(needsDisk))
  say(`${rounds.length} rounds, seed ${options.seed}, ${options.mode}: starting ...`)
  const load = await startLoad()
  const world = await startWorld(options.mode, { sinkPort: load.port, withDisk }).catch(
    async (error: unknown) => {
      await load.stop()
      throw error
    },
  )
  const results: RoundResult[] = []
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopping = true
      say('stopping; the round that is going on does not count')
    })
  const watch = watchProcesses(world)
  try {
    const scene = { world, load, watch, form, targets: await createTargets(world) }
    if (options.backlog > 0) {
      const result = await fillBacklog(options.backlog, scene)
      results.push(result)
      await keep(result)
    }
    for (const round of rounds) {
      if (stopping) break
      if (round.faults.some(needsDisk) && world.disk === undefined) {
        say(`round ${round.number}: not run, no file system of Postgres's own could be mounted`)
        continue
      }
      const result = await runRound(round, scene)
      // Whoever interrupts from a terminal interrupts the services as well.
      if (stopping) break
      results.push(result)
      await keep(result)
      if (result.wrong.length > 0) await keepLogs(round, world.logPath, world.said)
    }
  } finally {
    await watch.stop()
    await world.stop()
    await load.stop()
  }
  return results
}

function needsDisk({ name }: { name: string }): boolean {
  return name === 'postgres-disk-full'
}

async function keep(result: RoundResult): Promise<void> {
  const { number, faults, detail, accepted, lost, repeated, healMs, wrong } = result
  const verdict = wrong.length === 0 ? 'holds' : `DOES NOT HOLD: ${wrong.join(' | ')}`
  say(
    `round ${number} ${faults} (${detail}): ${accepted} accepted, ${lost} lost, ${repeated} repeated, healed in ${(healMs / 1_000).toFixed(1)} s: ${verdict}`,
  )
  if (options.journal !== undefined)
    await appendFile(options.journal, `${JSON.stringify(result)}\n`)
}

/** For whoever looks for the cause: the directory of the run is removed. */
async function keepLogs({ number }: Round, logPath: string, said: string[]): Promise<void> {
  if (options.journal === undefined) return
  const text = await readFile(logPath, 'utf8')
  await writeFile(`${options.journal}.round-${number}.log`, `${said.join('\n')}\n${text}`)
}

const results = await runAll()
const earlier =
  options.journal === undefined
    ? results
    : (await readFile(options.journal, 'utf8').catch(() => ''))
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as RoundResult)
process.stdout.write(renderTable(results))
if (earlier.length > 0) await writeFile(resultsFile, renderResults(earlier))
process.exitCode = results.some(({ wrong }) => wrong.length > 0) ? 1 : 0
