/**
 * Which rows share a start of the product. Rows that leave something behind come last. The filled
 * database is made once and serves both modes in all runs.
 */
import type { LoadRow } from './bench.ts'
import { MODES, type Mode } from './options.ts'
import { backlogRow } from './rows/backlog.ts'
import { filledRow, readsRow } from './rows/filled.ts'
import { floodElsewhereRow, floodSharedRow } from './rows/flood.ts'
import { idleRow } from './rows/idle.ts'
import { loginsRow } from './rows/logins.ts'
import { subAccountsRow } from './rows/sub-accounts.ts'
import { hangingRow, latencyRow, manyBadRow, pauseRow } from './rows/latency.ts'
import {
  batchRow,
  byTypeRow,
  directRow,
  fanOutRow,
  largeRow,
  slowOf1Row,
  slowOf4Row,
  slowRow,
} from './rows/throughput.ts'

export interface MeasurementPhase {
  name: string
  modes: readonly Mode[]
  rows: readonly LoadRow[]
  /** Arguments of `npm run cluster --`. */
  args: readonly string[]
  /** Settings that differ from the defaults. */
  settings: Record<string, string>
  /** Whether all modes and runs share one data folder, rather than a new one for each start. */
  keepsData: boolean
}

/**
 * Two processors cannot carry four dispatchers at 2,000/s each, so the row shows that slots add up:
 * one origin has half of them, 64, which at 200 ms are 320/s.
 */
const SMALL_DISPATCHERS = { MAX_TRIES_IN_FLIGHT: '128' }

const PHASES: readonly MeasurementPhase[] = [
  {
    name: 'plain',
    modes: MODES,
    rows: [
      idleRow,
      directRow,
      latencyRow,
      byTypeRow,
      fanOutRow,
      batchRow,
      slowRow,
      largeRow,
      pauseRow,
      hangingRow,
      manyBadRow,
      loginsRow,
    ],
    args: [],
    settings: {},
    keepsData: false,
  },
  {
    name: '1 small dispatcher',
    modes: ['cluster'],
    rows: [slowOf1Row],
    args: [],
    settings: SMALL_DISPATCHERS,
    keepsData: false,
  },
  {
    name: '4 small dispatchers',
    modes: ['cluster'],
    rows: [slowOf4Row],
    args: ['--dispatchers', '4'],
    settings: SMALL_DISPATCHERS,
    keepsData: false,
  },
  {
    name: 'sub-accounts',
    modes: MODES,
    rows: [subAccountsRow],
    args: [],
    settings: {},
    keepsData: false,
  },
  { name: 'backlog', modes: MODES, rows: [backlogRow], args: [], settings: {}, keepsData: false },
  {
    name: 'filled',
    modes: MODES,
    rows: [filledRow, readsRow],
    args: [],
    settings: {},
    keepsData: true,
  },
  // Each has a start of its own, because hanging attempts stay behind.
  ...[floodSharedRow, floodElsewhereRow].map((row) => ({
    name: row.name,
    modes: MODES,
    rows: [row],
    args: [],
    settings: {},
    keepsData: false,
  })),
]

/**
 * The quick form has one start for all rows, because starting the cluster takes as long as all of
 * them.
 */
const QUICK: MeasurementPhase = {
  name: 'quick',
  modes: MODES,
  rows: [
    idleRow,
    directRow,
    latencyRow,
    byTypeRow,
    fanOutRow,
    batchRow,
    slowRow,
    largeRow,
    pauseRow,
    backlogRow,
    filledRow,
    readsRow,
    hangingRow,
    manyBadRow,
    loginsRow,
    subAccountsRow,
    floodElsewhereRow,
    floodSharedRow,
  ],
  args: [],
  settings: {},
  keepsData: false,
}

export function phasesOf(quick: boolean): readonly MeasurementPhase[] {
  return quick ? [QUICK] : PHASES
}
