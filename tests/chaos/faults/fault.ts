/** The type of a fault: what it disturbs, for how long, and what must hold meanwhile. */
import type { SeededRandom } from '../seeded-random.ts'
import type { World, WorldMode } from '../world.ts'

export type StoreName = 'postgres' | 'redis' | 'kafka'

/**
 * yes: events are accepted all the while. no: none is answered 201, and 503 says when to try again.
 */
export type ExpectedAccepting = 'yes' | 'no' | 'any'

export interface Fault {
  name: string
  /** The fault in words, for the table. */
  what: string
  modes: readonly WorldMode[]
  accepting: ExpectedAccepting
  /** The store that is gone for the whole time, which `/health` must name. */
  down?: StoreName
  durationMs: { long: number; short: number }
  /** It disturbs the connection between two parts: see `WorldOptions`. */
  needsProxies?: true
  inject(world: World, random: SeededRandom): Promise<InjectedFault>
}

export interface InjectedFault {
  /** Which of several parts it hit. */
  detail: string
  /** Processes that may be away or silent meanwhile. */
  victims: readonly string[]
  /**
   * Some or all connections to Postgres are neither answered nor refused; every post must be
   * answered all the same.
   */
  isPostgresSilent?: boolean
  /** Another process must have taken over, and accept events, within this time. */
  takeoverMs?: number
  end(): Promise<void>
}

export const BOTH = ['cluster', 'standalone'] as const
export const STANDBY = ['standby'] as const
export const CLUSTER = ['cluster'] as const
/** For a fault that lasts a moment: what matters is the time after it. */
export const MOMENT = { long: 2_000, short: 1_000 }
export const MINUTE = { long: 60_000, short: 10_000 }
