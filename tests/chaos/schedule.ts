/**
 * Which faults a run injects, in which order: each alone first, then pairs. The same seed gives the
 * same run.
 */
import type { Fault } from './faults/fault.ts'
import { NETWORK_FAULTS } from './faults/network-faults.ts'
import { PROCESS_FAULTS } from './faults/process-faults.ts'
import { STANDBY_FAULTS } from './faults/standby-faults.ts'
import { STORE_FAULTS } from './faults/store-faults.ts'
import { createSeededRandom } from './seeded-random.ts'
import type { WorldMode } from './world.ts'

export const FAULTS: readonly Fault[] = [
  ...PROCESS_FAULTS,
  ...STANDBY_FAULTS,
  ...STORE_FAULTS,
  ...NETWORK_FAULTS,
]

export interface Round {
  number: number
  faults: readonly Fault[]
  /** The seed of the choices that its faults make. */
  seed: number
}

export interface PlanRequest {
  mode: WorldMode
  rounds: number
  seed: number
  /** Names of faults; empty: all. */
  only: readonly string[]
}

export function planRounds({ mode, rounds, seed, only }: PlanRequest): Round[] {
  const unknown = only.filter((name) => !FAULTS.some((fault) => fault.name === name))
  if (unknown.length > 0) {
    const names = FAULTS.map(({ name }) => name).join(', ')
    throw new Error(`there is no fault ${unknown.join(', ')}; there are ${names}`)
  }
  const random = createSeededRandom(seed)
  const faults = FAULTS.filter(
    (fault) => (only.length === 0 || only.includes(fault.name)) && fault.modes.includes(mode),
  )
  if (faults.length === 0) throw new Error(`none of these faults is one of ${mode}`)
  const alone = random.shuffle(faults).map((fault) => [fault])
  return Array.from({ length: rounds }, (_, at) => ({
    number: at + 1,
    faults: alone[at] ?? drawPair(faults, random),
    seed: Math.floor(random.next() * 2 ** 31),
  }))
}

/** Two faults of different stores or services, because a dead process cannot be frozen as well. */
function drawPair(
  faults: readonly Fault[],
  random: ReturnType<typeof createSeededRandom>,
): Fault[] {
  const first = random.pick(faults)
  const others = faults.filter((fault) => affectedPart(fault) !== affectedPart(first))
  return others.length === 0 ? [first] : [first, random.pick(others)]
}

/**
 * The part that a fault affects: `kill-fanout` and `freeze-fanout` affect one service, all faults
 * of Postgres one store, and those of the network one thing.
 */
function affectedPart({ name }: Fault): string {
  const [first = '', ...rest] = name.split('-')
  return ['kill', 'term', 'freeze', 'churn'].includes(first) ? rest.join('-') : first
}
