/**
 * Latencies as 128 cells, 8 an octave, from 1 ms to 65,536 ms: a percentile read from them is at
 * most 4.5 % off. Durations are whole milliseconds, so cells below 12 ms hold one value each and
 * are exact. What is faster or slower counts to the first or the last cell. Pure.
 */

export const CELLS = 128
const CELLS_PER_OCTAVE = 8

export function cellOf(ms: number): number {
  if (ms < 1) return 0
  return Math.min(CELLS - 1, Math.floor(Math.log2(ms) * CELLS_PER_OCTAVE))
}

/**
 * The nearest-rank percentile in ms; null: nothing was counted.
 * @param percent in (0, 100]
 */
export function percentile(cells: readonly number[], percent: number): number | null {
  const total = countOf(cells)
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil((total * percent) / 100))
  let seen = 0
  for (const [cell, count] of cells.entries()) {
    seen += count
    if (seen >= rank) return middleOf(cell)
  }
  return middleOf(CELLS - 1)
}

export function countOf(cells: readonly number[]): number {
  return cells.reduce((sum, count) => sum + count, 0)
}

/** The geometric mean of the whole milliseconds in a cell: off by the same factor either way. */
function middleOf(cell: number): number {
  const from = 2 ** (cell / CELLS_PER_OCTAVE)
  const to = 2 ** ((cell + 1) / CELLS_PER_OCTAVE)
  const first = Math.ceil(from)
  const last = Math.ceil(to) - 1
  const middle = last < first ? Math.sqrt(from * to) : Math.sqrt(first * last)
  return Math.round(middle * 10) / 10
}
