/**
 * The type of an attack. To add one, write it in a file of `attacks/` and put the file's list into
 * `corpus.ts`.
 */
import type { Arena } from './arena.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface Attack {
  /** `<place>: <what is sent>`; `--only` looks for a part of it. */
  name: string
  /** What the attack did to a version that was open to it. */
  effect: string
  /** Whether it is part of `npm test`, where all quick attacks together take a minute. */
  isQuick: boolean
  /** Allows more memory than `evaluate-dose.ts` does, for the reason in `effect`. */
  maxMiB?: number
  /** Makes tenants, endpoints and bodies, and answers one dose. Only the dose is measured. */
  prepare(arena: Arena, random: SeededRandom): Promise<Dose>
}

/** Sends the hostile input once, and answers what is wrong besides the measured figures. */
export type Dose = () => Promise<readonly string[]>

export function attack(
  name: string,
  effect: string,
  prepare: Attack['prepare'],
  more: Partial<Pick<Attack, 'isQuick' | 'maxMiB'>> = {},
): Attack {
  return { name, effect, prepare, isQuick: true, ...more }
}
