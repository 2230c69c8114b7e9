/**
 * Whether there is anything to do, asked by loops that mostly find nothing. Looks that come in one
 * turn of the event loop go to Postgres in one statement: each by itself wakes a session of its
 * own, which costs more than the look.
 */
import type { Pool } from './pool.ts'

export interface Look {
  /** The name of its prepared statement. */
  name: string
  /** Selects `true`, from one row at most. */
  text: string
  values?: readonly unknown[]
}

interface WaitingLook {
  look: Look
  resolve(isAny: boolean): void
  reject(error: unknown): void
}

/**
 * By name: two of one name go in two statements, so that there are only as many statements to be
 * prepared as there are sets of names.
 */
type Batch = Map<string, WaitingLook>

const waiting = new WeakMap<Pick<Pool, 'query'>, Batch>()

/** @throws what the statement throws, for each look that is in it */
export async function anyRow(pool: Pick<Pool, 'query'>, look: Look): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const open = waiting.get(pool)
  const batch = open === undefined || open.has(look.name) ? openBatch(pool) : open
  batch.set(look.name, { look, resolve, reject })
  return await promise
}

function openBatch(pool: Pick<Pool, 'query'>): Batch {
  const batch: Batch = new Map()
  waiting.set(pool, batch)
  setImmediate(() => {
    if (waiting.get(pool) === batch) waiting.delete(pool)
    void askAll(pool, batch)
  })
  return batch
}

async function askAll(pool: Pick<Pool, 'query'>, batch: Batch): Promise<void> {
  // In one order, so that a set of names is one statement.
  const names = [...batch.keys()].sort()
  const looks = names.map((name) => batch.get(name) as WaitingLook)
  try {
    const { rows } = await pool.query<Record<string, true | null>>(
      statementOf(looks.map(({ look }) => look)),
    )
    for (const [index, { resolve }] of looks.entries()) resolve(rows[0]?.[`any${index}`] === true)
  } catch (error) {
    for (const { reject } of looks) reject(error)
  }
}

function statementOf(looks: readonly Look[]): { name: string; text: string; values: unknown[] } {
  const values: unknown[] = []
  const columns: string[] = []
  for (const look of looks) {
    const before = values.length
    const text = look.text.replaceAll(/\$(\d+)/g, (_, nth) => `$${before + Number(nth)}`)
    columns.push(`(${text}) AS any${columns.length}`)
    values.push(...(look.values ?? []))
  }
  const text = `SELECT ${columns.join(',\n  ')}`
  return { name: nameOf(looks, text), text, values }
}

/** By text. They are short because Postgres tells names apart by 63 characters. */
const namesOfSets = new Map<string, string>()

function nameOf(looks: readonly Look[], text: string): string {
  const [only, ...more] = looks
  if (only !== undefined && more.length === 0) return only.name
  const name = namesOfSets.get(text) ?? `any-of-${namesOfSets.size}`
  namesOfSets.set(text, name)
  return name
}
