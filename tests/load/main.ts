/**
 * `npm run load`: measures `standalone` and the cluster row by row, prints the figures beside the
 * last ones, and keeps them in `results.json` and RESULTS.md. Ends with 1 when events were lost or
 * repeated, or a figure got worse by over 15 %.
 */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandOptions } from '@posthorn/testing/command-options'
import { FIGURE_NAMES, rowOf } from './figures.ts'
import { compareRuns } from './compare-runs.ts'
import { bestOf, bestRun, derive, type Figures, isRegression } from './evaluate-runs.ts'
import { commitOf, isSameType, thisMachine } from './machine.ts'
import { type MeasuredRow, measureAll } from './measure.ts'
import { type Mode, MODES, readOptions, USAGE } from './options.ts'
import { figuresOf, readResults, type Results, type RowResult, writeResults } from './results.ts'
import { resultsPage } from './results-page.ts'
import { type ComparedLine, comparedTable, comparison, formatNumber } from './table.ts'
import { versions } from './versions.ts'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const PAGE = fileURLToPath(new URL('RESULTS.md', import.meta.url))

function say(line: string): void {
  process.stderr.write(`load: ${line}\n`)
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

const options = commandOptions(USAGE, readOptions)
const checkouts = options.compare === null ? [root] : [root, resolve(options.compare)]
const done = await measureAll({ ...options, checkouts }, say)
const failures = done.flatMap((one) =>
  one.failures.map((failure) => `row ${one.row}, ${one.mode}: ${failure}`),
)

if (options.only !== null && options.compare === null) print(done.flatMap(costsOf))
let regressions: string[] = []
if (options.compare !== null) compare()
else if (options.quick) await report()
else regressions = await evaluate()
for (const failure of failures) say(`FAILED ${failure}`)
process.exitCode = failures.length + regressions.length > 0 ? 1 : 0

/**
 * In the quick form each scenario in a mode is a test: nothing lost, nothing delivered twice,
 * figures that are numbers, and bounded memory.
 */
async function report(): Promise<void> {
  const failed = done.filter((one) => one.failures.length > 0).length
  const passed = done.length - failed
  print([`load, quick: ${passed} passed, ${failed} failed`])
  if (options.report !== null)
    await writeFile(options.report, JSON.stringify({ passed, failed, failures }))
}

/** Where the time of a row goes, for experiments. */
function costsOf({ row, mode, checkout, costs }: MeasuredRow): string[] {
  return Object.entries(costs).map(
    ([name, value]) => `row ${row}, ${mode}, ${checkout}: ${name} ${formatNumber(value)}`,
  )
}

function measuredOf(checkout: string, mode: Mode): MeasuredRow[] {
  return done.filter((one) => one.checkout === checkout && one.mode === mode)
}

/** The two checkouts that ran side by side, by row, mode and figure or cost. */
function compare(): void {
  const [own = '', other = ''] = checkouts
  const lines: ComparedLine[] = []
  for (const mode of options.modes) {
    for (const [row, nows] of Map.groupBy(measuredOf(own, mode), (one) => one.row)) {
      const befores = measuredOf(other, mode).filter((one) => one.row === row)
      for (const [title, ratio] of compareRuns(nows, befores))
        lines.push({ row, mode, title, ratio })
    }
  }
  print([
    `this checkout (now) beside ${other} (last), medians of ${options.runs} pairs:`,
    ...comparedTable(lines),
  ])
}

async function evaluate(): Promise<string[]> {
  const last = await readResults()
  const machine = thisMachine()
  const comparable = last !== null && isSameType(last.machine, machine)
  const isWhole = options.only === null && options.modes.length === MODES.length
  const columns = options.modes.map((mode) => {
    const before = figuresOf(last, mode)
    const now = bestOf(measuredOf(root, mode))
    // For a row that was not measured now, its last figure counts in what is derived from it.
    return { mode, now: isWhole ? derive(now) : { ...now, ...derived(before, now) }, before }
  })
  print(comparison(columns, comparable))
  if (isWhole || options.record) {
    const kept = comparable ? last : null
    const results = await merge(kept, columns)
    await writeResults(results)
    await writeFile(PAGE, resultsPage(results))
  }
  if (!comparable || !isWhole) return []
  return columns.flatMap(({ mode, now, before }) =>
    FIGURE_NAMES.filter((name) => {
      const [value, was] = [now[name], before[name]]
      // Nothing can be said about a row of which every run was spoiled.
      if (measuredOf(root, mode).every(({ row, spoiled }) => spoiled || row !== rowOf(name)))
        return false
      return value !== undefined && was !== undefined && isRegression(name, value, was)
    }).map((name) => `${name}, ${mode}`),
  )
}

function derived(before: Figures, now: Figures): Figures {
  const all = derive({ ...before, ...now })
  const scale = now['slow.perSecondOf4'] === undefined ? undefined : all['slow.scale']
  const share = now['filled.perSecond'] === undefined ? undefined : all['filled.share']
  return {
    ...(scale === undefined ? {} : { 'slow.scale': scale }),
    ...(share === undefined ? {} : { 'filled.share': share }),
  }
}

/** The costs of each of the row's scenarios. */
function costsOfBest(all: readonly MeasuredRow[]): Record<string, number>[] {
  return [...Map.groupBy(all, ({ name }) => name).values()].map(
    (runs) => bestRun(runs)?.costs ?? {},
  )
}

async function merge(
  last: Results | null,
  columns: readonly { mode: Mode; now: Figures }[],
): Promise<Results> {
  const rows: Results['rows'] = last?.rows ?? { standalone: {}, cluster: {} }
  const commit = commitOf(root)
  const at = new Date().toISOString()
  for (const { mode, now } of columns) {
    for (const [row, all] of Map.groupBy(measuredOf(root, mode), (one) => one.row)) {
      const figures = Object.fromEntries(
        FIGURE_NAMES.filter((name) => rowOf(name) === row && now[name] !== undefined).map(
          (name) => [name, now[name]],
        ),
      ) as Figures
      const result: RowResult = {
        at,
        commit,
        runs: options.runs,
        spoiled: all.filter(({ spoiled }) => spoiled).length,
        figures,
        costs: Object.assign({}, ...costsOfBest(all)) as Record<string, number>,
      }
      rows[mode][String(row)] = result
    }
  }
  return { machine: thisMachine(), versions: await versions(), rows }
}
