/** What a fault is. */
import type { SeededRandom } from '../seeded-random.ts'
import type { World } from '../world.ts'

export type StoreName = 'postgres' | 'redis' | 'kafka'

/** yes: whatever is gone, events are accepted. no: not one is answered 201, and 503 tells when to come again. */
export type ExpectedAccepting = 'yes' | 'no' | 'any'

export interface Fault {
  name: string
  /** In words, for the table. */
  what: string
  modes: readonly ('cluster' | 'standalone')[]
  accepting: ExpectedAccepting
  /** Gone for the whole time, as `/health` must say. */
  down?: StoreName
  holdMs: { long: number; short: number }
  /** It happens on the way between two parts: see `WorldOptions`. */
  needsProxies?: true
  begin(world: World, random: SeededRandom): Promise<InjectedFault>
}

export interface InjectedFault {
  /** Which of several it met. */
  detail: string
  /** Nodes that may be away or not answer meanwhile. */
  victims: readonly string[]
  /** Postgres neither answers nor refuses, to some or to all: whoever posts must have an answer all the same. */
  silent?: boolean
  end(): Promise<void>
}

export const BOTH = ['cluster', 'standalone'] as const
export const CLUSTER = ['cluster'] as const
/** A moment: what matters is the time after it. */
export const MOMENT = { long: 2_000, short: 1_000 }
export const MINUTE = { long: 60_000, short: 10_000 }
