/** Figures as text, for the terminal and for RESULTS.md. Pure. */
import { FIGURE_NAMES, figure, type FigureName } from './figures.ts'
import type { Ratio } from './compare-runs.ts'
import { type Figures, isRegression, reachesAim } from './evaluate-runs.ts'
import type { Mode } from './options.ts'

const THOUSAND = 1_000

/** Three significant digits, with a comma for thousands. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '∞'
  if (value === 0) return '0'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  const text = value.toFixed(Math.min(digits, 4))
  const rounded = Number(digits > 0 ? text : value.toPrecision(3))
  if (Math.abs(rounded) >= THOUSAND) return Math.round(rounded).toLocaleString('en-US')
  return digits > 0 && text.includes('.') ? text.replace(/\.?0+$/, '') : String(rounded)
}

export function formatRatio(now: number, before: number): string {
  return before === 0 ? '' : `${(now / before).toFixed(2)}x`
}

export interface Column {
  mode: Mode
  now: Figures
  before: Figures
}

/** A line for each figure that was measured. `showRegressions` marks those that got worse. */
export function comparison(columns: readonly Column[], showRegressions: boolean): string[] {
  const rows = [['row', 'figure', 'mode', 'aim', 'last', 'now', 'ratio', '']]
  for (const name of FIGURE_NAMES) {
    for (const { mode, now, before } of columns) {
      const value = now[name]
      if (value !== undefined)
        rows.push(comparisonRow(name, mode, value, before[name], showRegressions))
    }
  }
  return aligned(rows)
}

export interface ComparedLine {
  row: number
  mode: Mode
  title: string
  ratio: Ratio
}

export function comparedTable(lines: readonly ComparedLine[]): string[] {
  const head = ['row', 'mode', 'figure or cost', 'last', 'now', 'ratio', 'within']
  return aligned([
    head,
    ...lines.map(({ row, mode, title, ratio }) => [
      String(row),
      mode,
      title,
      formatNumber(ratio.before),
      formatNumber(ratio.now),
      `${ratio.ratio.toFixed(2)}x`,
      `${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)}`,
    ]),
  ])
}

function comparisonRow(
  name: FigureName,
  mode: Mode,
  now: number,
  before: number | undefined,
  showRegressions: boolean,
): string[] {
  const { row, title, unit, aims } = figure(name)
  const aim = aims[mode]
  const mark = showRegressions && before !== undefined && isRegression(name, now, before)
  return [
    String(row),
    title,
    mode,
    aim === undefined ? '' : formatNumber(aim),
    before === undefined ? '' : formatNumber(before),
    `${formatNumber(now)} ${unit}`,
    before === undefined ? '' : formatRatio(now, before),
    mark ? 'REGRESSION' : aim === undefined || reachesAim(name, mode, now) ? '' : 'below the aim',
  ]
}

function aligned(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Markdown with a line for each figure, both modes, and the aims in brackets. */
export function figureTable(of: Record<Mode, Figures>): string[] {
  const cell = (name: FigureName, mode: Mode): string => {
    const value = of[mode][name]
    if (value === undefined) return '–'
    const aim = figure(name).aims[mode]
    const text = formatNumber(value)
    if (aim === undefined) return text
    return `${reachesAim(name, mode, value) ? text : `**${text}**`} (${formatNumber(aim)})`
  }
  const lines = FIGURE_NAMES.filter(
    (name) => of.standalone[name] !== undefined || of.cluster[name] !== undefined,
  ).map((name) => {
    const { row, title, unit } = figure(name)
    const words = unit === '/s' || unit === 'CPU-s' ? title : `${title}, ${unit}`
    return `| ${row} | ${words} | ${cell(name, 'standalone')} | ${cell(name, 'cluster')} |`
  })
  return ['| row | | `standalone` (aim) | cluster (aim) |', '|---|---|---|---|', ...lines]
}

/** Markdown with what a row's events cost, by part. */
export function costTable(of: Record<Mode, Readonly<Record<string, number>>>): string[] {
  const names = [...new Set([...Object.keys(of.standalone), ...Object.keys(of.cluster)])]
  const cell = (value: number | undefined): string =>
    value === undefined ? '–' : formatNumber(value)
  return [
    '| | `standalone` | cluster |',
    '|---|---|---|',
    ...names.map(
      (name) => `| ${name} | ${cell(of.standalone[name])} | ${cell(of.cluster[name])} |`,
    ),
  ]
}
