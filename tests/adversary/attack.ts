/** What an attack is. To add one: write it in a file of `attacks/`, and put the file's list into `corpus.ts`. */
import type { Arena } from './arena.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface Attack {
  /** `<place>: <what is sent>`; `--only` looks for a part of it. */
  name: string
  /** What it did to a version that did not know it. */
  seen: string
  /** Part of `npm test`, where all of them together take a minute. */
  isQuick: boolean
  /** Where more is allowed than the bounds of `verdict.ts`, with the reason in `seen`. */
  maxMiB?: number
  /** Makes tenants, endpoints and bodies, which is not measured, and answers one dose, which is. */
  prepare(arena: Arena, chance: SeededRandom): Promise<Dose>
}

/** Sends the hostile input once, and answers what is wrong beyond what is measured of each dose. */
export type Dose = () => Promise<readonly string[]>

export function attack(
  name: string,
  seen: string,
  prepare: Attack['prepare'],
  more: Partial<Pick<Attack, 'isQuick' | 'maxMiB'>> = {},
): Attack {
  return { name, seen, prepare, isQuick: true, ...more }
}
