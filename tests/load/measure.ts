/** Starts the product phase by phase and run by run, and keeps what each row measured. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, RowMeasurement, LoadRow } from './bench.ts'
import { startGenerator } from './generator.ts'
import type { Figures } from './evaluate-runs.ts'
import { disturbance, isSpoiled, readTicks } from './machine.ts'
import type { Mode } from './options.ts'
import { phasesOf } from './phases.ts'
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

/** The product that has to be stopped when a signal ends the run. */
let running: Product | undefined

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
  const all: MeasuredRow[] = []
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-load-'))
  // As root, Postgres runs as another user. If that user cannot reach the folder it keeps its files
  // elsewhere, where they stay.
  await chmod(folder, 0o711)
  onSignal(async () => {
    await running?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  try {
    for (let run = 0; run < config.runs; run += 1) {
      for (const phase of phasesOf(config.quick)) {
        const rows = phase.rows.filter(({ row }) => config.only?.includes(row) ?? true)
        if (rows.length === 0) continue
        for (const mode of phase.modes.filter((one) => config.modes.includes(one))) {
          // Every second run goes in the other order, so that neither checkout always has the
          // warmer machine.
          const order = run % 2 === 0 ? config.checkouts : config.checkouts.toReversed()
          for (const checkout of order) {
            say(`run ${run + 1} of ${config.runs}, ${mode}, ${phase.name}: ${checkout}`)
            const at = config.checkouts.indexOf(checkout)
            const kept = phase.keepsData ? `kept-${at}` : `${run}-${at}-${mode}`
            const dataDir = join(folder, kept)
            await mkdir(dataDir, { recursive: true })
            const { args, settings } = phase
            const given = { checkout, mode, dataDir, args, settings }
            const measured = measurePhase(rows, given, config.quick, say)
            all.push(
              ...(await measured.catch((error: unknown) => failedToStart(rows, given, error))),
            )
            if (!phase.keepsData) await rm(dataDir, { recursive: true, force: true })
          }
        }
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return all
}

/** The results when the product did not start: each of the rows has failed. */
function failedToStart(
  rows: readonly LoadRow[],
  { checkout, mode }: { checkout: string; mode: Mode },
  error: unknown,
): MeasuredRow[] {
  const failures = [Error.isError(error) ? error.message : String(error)]
  const nothing = { figures: {}, costs: {}, failures, steal: 0, others: 0, spoiled: true }
  return rows.map(({ row, name }) => ({ ...nothing, checkout, mode, row, name }))
}

async function measurePhase(
  rows: readonly LoadRow[],
  given: Parameters<typeof startProduct>[0],
  quick: boolean,
  say: (line: string) => void,
): Promise<MeasuredRow[]> {
  const product = await startProduct(given)
  running = product
  const generator = await startGenerator()
  const done: MeasuredRow[] = []
  try {
    const { address } = await generator.open('127.0.0.1:0')
    let last = 0
    const numbers = (count: number): number => {
      last += count
      return last - count + 1
    }
    const bench: Bench = { product, generator, door: address, quick, numbers, say }
    for (const row of rows) {
      const one = await measureRow(row, bench)
      done.push({ ...one, checkout: given.checkout })
      say(line(one))
    }
  } finally {
    await generator.stop()
    running = undefined
    await product.stop()
  }
  return done
}

async function measureRow(row: LoadRow, bench: Bench): Promise<Omit<MeasuredRow, 'checkout'>> {
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
  return {
    ...measured,
    failures,
    mode: bench.product.mode,
    row: row.row,
    name: row.name,
    ...disturbed,
    spoiled: isSpoiled(disturbed),
  }
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

function line(done: Omit<MeasuredRow, 'checkout'>): string {
  const { row, name, mode, figures, failures, steal, others } = done
  const values = Object.entries(figures).map(([key, value]) => `${key} ${value.toPrecision(4)}`)
  const words = [`row ${row}, ${name}, ${mode}: ${values.join(', ')}`]
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
  if (done.spoiled) words.push(`spoiled: steal ${percent(steal)}, others ${percent(others)}`)
  return [...words, ...failures.map((failure) => `FAILED ${failure}`)].join('; ')
}
