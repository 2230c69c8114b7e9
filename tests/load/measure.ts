/** Starts the product phase by phase and run by run, and keeps what each row measured. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, RowMeasurement, LoadRow } from './bench.ts'
import { startGenerator } from './generator.ts'
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

function rowsOf({ rows }: MeasurementPhase, { only }: MeasureConfig): LoadRow[] {
  return rows.filter(({ row }) => only?.includes(row) ?? true)
}

/** Each run has starts of its own, and modes alternate. */
async function measureInTurns({ config, folder, say }: Context): Promise<MeasuredRow[]> {
  const { checkouts, modes, quick, runs } = config
  const [checkout = ''] = checkouts
  const all: MeasuredRow[] = []
  for (let run = 0; run < runs; run += 1) {
    for (const phase of phasesOf(quick)) {
      const rows = rowsOf(phase, config)
      if (rows.length === 0) continue
      for (const mode of phase.modes.filter((one) => modes.includes(one))) {
        say(`run ${run + 1} of ${runs}, ${mode}, ${phase.name}: ${checkout}`)
        const dataDir = join(folder, phase.keepsData ? 'kept' : `${run}-${mode}`)
        try {
          const { bench, stop } = await startBench({ phase, checkout, mode, dataDir, quick, say })
          try {
            for (const row of rows) all.push(await measureRow(row, bench, checkout))
          } finally {
            await stop()
          }
        } catch (error) {
          all.push(...failedToStart(rows, checkout, mode, error))
        }
        if (!phase.keepsData) await rm(dataDir, { recursive: true, force: true })
      }
    }
  }
  return all
}

/**
 * The checkouts run at the same time, each with its stores, and a row is measured on one while the
 * others idle, then on the next: all have the same machine, as warm and as busy, to within seconds.
 * Of two starts one after the other each has figures up to twice those of the other.
 */
async function measureSideBySide({ config, folder, say }: Context): Promise<MeasuredRow[]> {
  const { checkouts, modes, quick, runs } = config
  const all: MeasuredRow[] = []
  for (const phase of phasesOf(quick)) {
    const rows = rowsOf(phase, config)
    if (rows.length === 0) continue
    for (const mode of phase.modes.filter((one) => modes.includes(one))) {
      const started: (StartedBench & { checkout: string })[] = []
      try {
        for (const [at, checkout] of checkouts.entries()) {
          say(`${mode}, ${phase.name}: ${checkout}`)
          const dataDir = join(folder, `${phase.keepsData ? 'kept' : mode}-${at}`)
          const bench = await startBench({ phase, checkout, mode, dataDir, quick, say })
          started.push({ ...bench, checkout })
        }
        for (const row of rows) {
          for (let run = 0; run < runs; run += 1) {
            // Every second run goes in the other order: what the first one leaves to do meets both.
            const order = run % 2 === 0 ? started : started.toReversed()
            for (const { bench, checkout } of order)
              all.push(await measureRow(row, bench, checkout))
          }
        }
      } catch (error) {
        for (const checkout of checkouts) all.push(...failedToStart(rows, checkout, mode, error))
      } finally {
        for (const { stop } of started) await stop()
      }
      if (!phase.keepsData) {
        for (const at of checkouts.keys())
          await rm(join(folder, `${mode}-${at}`), { recursive: true, force: true })
      }
    }
  }
  return all
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
  bench: Bench
  stop(): Promise<void>
}

async function startBench(given: {
  phase: MeasurementPhase
  checkout: string
  mode: Mode
  dataDir: string
  quick: boolean
  say: (line: string) => void
}): Promise<StartedBench> {
  const { phase, checkout, mode, dataDir, quick, say } = given
  const { args, settings } = phase
  await mkdir(dataDir, { recursive: true })
  const product = await startProduct({ checkout, mode, dataDir, args, settings })
  running.add(product)
  const generator = await startGenerator()
  const stop = async (): Promise<void> => {
    await generator.stop()
    running.delete(product)
    await product.stop()
  }
  const { address } = await generator.open('127.0.0.1:0')
  let last = 0
  const numbers = (count: number): number => {
    last += count
    return last - count + 1
  }
  return { bench: { product, generator, door: address, quick, numbers, say }, stop }
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
