/**
 * How a multi-row statement meets errors: it is repeated where that can help, and the row whose
 * data is at fault is found.
 */
import { isDataError, isRetryable } from './pool.ts'

const MAX_REPEATS = 5

export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let repeat = 1; ; repeat += 1) {
    try {
      return await work()
    } catch (error) {
      if (repeat > MAX_REPEATS || !isRetryable(error)) throw error
    }
  }
}

/**
 * Writes all rows in one statement; when the data of one is at fault, halves them until it stands
 * alone.
 * @returns the results of the rows that were written, and the others with the error of each
 */
export async function writeRows<Row, Result>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<Result[]>,
): Promise<{ written: Result[]; refused: { row: Row; error: unknown }[] }> {
  if (rows.length === 0) return { written: [], refused: [] }
  try {
    return { written: await withRetries(() => write(rows)), refused: [] }
  } catch (error) {
    if (!isDataError(error)) throw error
    if (rows.length === 1) return { written: [], refused: [{ row: rows[0] as Row, error }] }
  }
  const middle = rows.length >> 1
  const left = await writeRows(rows.slice(0, middle), write)
  const right = await writeRows(rows.slice(middle), write)
  return {
    written: [...left.written, ...right.written],
    refused: [...left.refused, ...right.refused],
  }
}

/** Text that Postgres takes: NUL and broken UTF-16 become U+FFFD. */
export function storable(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed()
  return formed.includes('\0') ? formed.replaceAll('\0', '\ufffd') : formed
}
