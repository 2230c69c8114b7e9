/** The options of `npm run load --`. */
import { parseArgs } from 'node:util'
import { wholeNumber } from '@posthorn/testing/command-options'

export const MODES = ['standalone', 'cluster'] as const
export type Mode = (typeof MODES)[number]

export interface LoadOptions {
  quick: boolean
  /** Row numbers; null: all. */
  only: readonly number[] | null
  modes: readonly Mode[]
  runs: number
  /** Another checkout, which runs beside this one and is measured in turns with it. */
  compare: string | null
  /** Writes the rows of `only` into the results; a whole run does so by itself. */
  record: boolean
  /** Where to write `{passed, failed}` as JSON. */
  report: string | null
}

const DEFAULT_RUNS = 5
/** With fewer the bounds of the ratio are far apart. */
const DEFAULT_PAIRS = 10
const MAX_RUNS = 50

export const USAGE = `usage: npm run load -- [--quick] [--only <row>[,<row>]] [--mode standalone|cluster]
  [--runs N] [--compare <folder of a checkout>] [--record]`

/** Throws with the option's name when an argument is not understood. */
export function readOptions(argv: readonly string[]): LoadOptions {
  const { values } = parseArgs({
    args: [...argv],
    strict: true,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      mode: { type: 'string' },
      runs: { type: 'string' },
      compare: { type: 'string' },
      record: { type: 'boolean', default: false },
      report: { type: 'string' },
    },
  })
  const mode = MODES.find((one) => one === values.mode)
  if (values.mode !== undefined && mode === undefined)
    throw new Error(`--mode is one of ${MODES.join(', ')}, not ${values.mode}`)
  const only = values.only
    ?.flatMap((text) => text.split(','))
    .map((text) => wholeNumber('--only', text, 1, 99))
  return {
    quick: values.quick,
    only: only ?? null,
    modes: mode === undefined ? MODES : [mode],
    runs: wholeNumber('--runs', values.runs ?? String(usualRuns(values)), 1, MAX_RUNS),
    compare: values.compare ?? null,
    record: values.record,
    report: values.report ?? null,
  }
}

function usualRuns({ quick, compare }: { quick: boolean; compare?: string | undefined }): number {
  if (compare !== undefined) return DEFAULT_PAIRS
  return quick ? 1 : DEFAULT_RUNS
}
