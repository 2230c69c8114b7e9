/** The last figures, as a file that the next run compares with. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Figures } from './evaluate-runs.ts'
import type { Machine } from './machine.ts'
import type { Mode } from './options.ts'

/** The result of one row in one mode. */
export interface RowResult {
  at: string
  commit: string
  runs: number
  spoiled: number
  figures: Figures
  /** What an event costs, by part. It is not evaluated. */
  costs: Record<string, number>
}

export interface Results {
  machine: Machine
  versions: Record<string, string>
  rows: Record<Mode, Record<string, RowResult>>
}

const PATH = fileURLToPath(new URL('results.json', import.meta.url))

export async function readResults(): Promise<Results | null> {
  const text = await readFile(PATH, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Results)
}

export async function writeResults(results: Results): Promise<void> {
  await writeFile(PATH, `${JSON.stringify(results, rounded, 2)}\n`)
}

/** Four digits are more than a figure's accuracy. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}

export function figuresOf(results: Results | null, mode: Mode): Figures {
  const rows = Object.values(results?.rows[mode] ?? {})
  return Object.assign({}, ...rows.map(({ figures }) => figures)) as Figures
}
