/** Starts the product phase by phase and run by run, and keeps what each row measured. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, RowMeasurement, LoadRow } from './bench.ts'
import { type Generator, startGenerator } from './generator.ts'
import type { Figures } from './evaluate-runs.ts'
import { disturbance, isSpoiled, readTicks } from './machine.ts'
import type { Mode } from './options.ts'
import { type MeasurementPhase, phasesOf } from './phases.ts'
import { secondsByClass, secondsOf, sum, watchMemory } from './processes.ts'
import { type Product, startProduct } from './product.ts'

export interface MeasuredRow extends RowMeasurement {
  checkout: string
  mode: Mode
  row: number
  name: string
  steal: number
  others: number
  spoiled: boolean
}

export interface MeasureConfig {
  checkouts: readonly string[]
  modes: readonly Mode[]
  only: readonly number[] | null
  runs: number
  quick: boolean
}

/** The bound for each process of the product; a leak or an unbounded queue is far above it. */
const QUICK_MEMORY_MIB = 700

/** The products that have to be stopped when a signal ends the run. */
const running = new Set<Product>()

/** Removes the data folders on a signal, which otherwise would leave gigabytes behind. */
function onSignal(clean: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void clean().finally(() => process.exit(130))
    })
  }
}

export async function measureAll(
  config: MeasureConfig,
  say: (line: string) => void,
): Promise<MeasuredRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-load-'))
  // As root, Postgres runs as another user. If that user cannot reach the folder it keeps its files
  // elsewhere, where they stay.
  await chmod(folder, 0o711)
  onSignal(async () => {
    await Promise.all([...running].map((product) => product.stop()))
    await rm(folder, { recursive: true, force: true })
  })
  const context = { config, folder, say }
  try {
    return await (config.checkouts.length === 1
      ? measureInTurns(context)
      : measureSideBySide(context))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Context {
  config: MeasureConfig
  folder: string
  say: (line: string) => void
}

interface Part {
  phase: MeasurementPhase
  mode: Mode
  rows: readonly LoadRow[]
}

/** The phases that have one of the rows that are asked for, in each of their modes. */
function partsOf({ quick, only, modes }: MeasureConfig): Part[] {
  return phasesOf(quick).flatMap((phase) => {
    const rows = phase.rows.filter(({ row }) => only?.includes(row) ?? true)
    if (rows.length === 0) return []
    return phase.modes.filter((mode) => modes.includes(mode)).map((mode) => ({ phase, mode, rows }))
  })
}

/** Each run has starts of its own, and modes alternate. */
async function measureInTurns({ config, folder, say }: Context): Promise<MeasuredRow[]> {
  const { runs } = config
  const all: MeasuredRow[] = []
  for (let run = 0; run < runs; run += 1) {
    for (const part of partsOf(config)) {
      say(`run ${run + 1} of ${runs}, ${part.mode}, ${part.phase.name}`)
      all.push(...(await measurePart(part, { config, folder, say }, 1)))
    }
  }
  return all
}

/**
 * The checkouts run at the same time, each with its stores, and a row is measured on one while the
 * others idle, then on the next: all have the same machine, as warm and as busy, to within seconds.
 * Two starts one after the other differ by up to twice.
 */
async function measureSideBySide({ config, folder, say }: Context): Promise<MeasuredRow[]> {
  const all: MeasuredRow[] = []
  for (const part of partsOf(config)) {
    for (const { runs, checkouts } of startsOf(config, part.phase)) {
      say(`${part.mode}, ${part.phase.name}`)
      const context = { config: { ...config, checkouts }, folder, say }
      all.push(...(await measurePart(part, context, runs)))
    }
  }
  return all
}

/**
 * Half of the runs are made after a start in the other order, for a start has a part in the ratio
 * that no number of pairs after it takes away: the same two checkouts had 1.02 to 1.18 in eight
 * starts, at 1,000 events a second in the cluster, with the higher ones where the later of the two
 * had been started first. What a phase keeps is made in one start.
 */
export function startsOf(
  { runs, checkouts }: Pick<MeasureConfig, 'runs' | 'checkouts'>,
  { keepsData }: Pick<MeasurementPhase, 'keepsData'>,
): { runs: number; checkouts: readonly string[] }[] {
  if (keepsData || runs < 2) return [{ runs, checkouts }]
  return [
    { runs: Math.ceil(runs / 2), checkouts },
    { runs: Math.floor(runs / 2), checkouts: checkouts.toReversed() },
  ]
}

/** Starts all checkouts, and measures each row on each of them, one run after the other. */
async function measurePart(part: Part, context: Context, runs: number): Promise<MeasuredRow[]> {
  const { phase, mode, rows } = part
  const { config, folder } = context
  const started: StartedBench[] = []
  const measured: MeasuredRow[] = []
  try {
    for (const [at, checkout] of config.checkouts.entries()) {
      const dataDir = join(folder, phase.keepsData ? `kept-${at}` : `${mode}-${at}`)
      started.push(await startBench(part, context, checkout, dataDir))
    }
    for (const row of rows) measured.push(...(await measureOnEach(row, started, runs)))
  } catch (error) {
    measured.push(...config.checkouts.flatMap((one) => failedToStart(rows, one, mode, error)))
  } finally {
    for (const { stop } of started) await stop()
  }
  return measured
}

async function measureOnEach(
  row: LoadRow,
  started: readonly StartedBench[],
  runs: number,
): Promise<MeasuredRow[]> {
  const measured: MeasuredRow[] = []
  for (let run = 0; run < runs; run += 1) {
    // Every second run goes in the other order: what the first one leaves to do meets both.
    const order = run % 2 === 0 ? started : started.toReversed()
    for (const { bench, checkout } of order) measured.push(await measureRow(row, bench, checkout))
  }
  return measured
}

/** The results when the product did not start: each of the rows has failed. */
function failedToStart(
  rows: readonly LoadRow[],
  checkout: string,
  mode: Mode,
  error: unknown,
): MeasuredRow[] {
  const failures = [Error.isError(error) ? error.message : String(error)]
  const nothing = { figures: {}, costs: {}, failures, steal: 0, others: 0, spoiled: true }
  return rows.map(({ row, name }) => ({ ...nothing, checkout, mode, row, name }))
}

interface StartedBench {
  checkout: string
  bench: Bench
  /** Removes its data as well, unless the phase keeps them. */
  stop(): Promise<void>
}

async function startBench(
  { phase, mode }: Part,
  { config, say }: Context,
  checkout: string,
  dataDir: string,
): Promise<StartedBench> {
  await mkdir(dataDir, { recursive: true })
  const { args, settings, keepsData } = phase
  const product = await startProduct({ checkout, mode, dataDir, args, settings })
  running.add(product)
  let generator: Generator | undefined
  const stop = async (): Promise<void> => {
    await generator?.stop()
    running.delete(product)
    await product.stop()
    if (!keepsData) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    generator = await startGenerator()
    const { address } = await generator.open('127.0.0.1:0')
    let last = 0
    const numbers = (count: number): number => {
      last += count
      return last - count + 1
    }
    const bench = { product, generator, door: address, quick: config.quick, numbers, say }
    return { checkout, bench, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function measureRow(row: LoadRow, bench: Bench, checkout: string): Promise<MeasuredRow> {
  const own = (): number =>
    sum(secondsByClass(bench.product.processes())) +
    secondsOf(bench.generator.pid) +
    secondsOf(process.pid)
  const [ticks, seconds] = [readTicks(), own()]
  const memory = watchMemory(() => bench.product.processes())
  let measured: RowMeasurement
  try {
    measured = await row.run(bench)
  } catch (error) {
    const said = Error.isError(error) ? error.message : String(error)
    measured = { figures: {}, costs: {}, failures: [`${row.name}: ${said}`] }
  }
  const peak = memory.stop()
  const disturbed = disturbance(ticks, readTicks(), own() - seconds)
  const failures = [...measured.failures, ...invalidFigures(measured.figures)]
  if (bench.quick) failures.push(...tooMuchMemory(peak))
  const done: MeasuredRow = {
    ...measured,
    failures,
    checkout,
    mode: bench.product.mode,
    row: row.row,
    name: row.name,
    ...disturbed,
    spoiled: isSpoiled(disturbed),
  }
  bench.say(line(done))
  return done
}

function invalidFigures(figures: Figures): string[] {
  return Object.entries(figures)
    .filter(([, value]) => !Number.isFinite(value) || value < 0)
    .map(([name, value]) => `${name} is ${value}`)
}

/** Kafka is left out, because Java takes what it is given. */
function tooMuchMemory(peak: Record<string, number>): string[] {
  return Object.entries(peak)
    .filter(([name, value]) => name !== 'kafka' && value > QUICK_MEMORY_MIB)
    .map(([name, value]) => `${name} took ${Math.round(value)} MiB, over ${QUICK_MEMORY_MIB}`)
}

function line(done: MeasuredRow): string {
  const { row, name, mode, figures, failures, steal, others } = done
  const values = Object.entries(figures).map(([key, value]) => `${key} ${value.toPrecision(4)}`)
  const words = [`row ${row}, ${name}, ${mode}: ${values.join(', ')}`]
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
  if (done.spoiled) words.push(`spoiled: steal ${percent(steal)}, others ${percent(others)}`)
  return [...words, ...failures.map((failure) => `FAILED ${failure}`)].join('; ')
}
