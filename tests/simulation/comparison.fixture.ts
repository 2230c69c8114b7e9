/**
 * Two stores side by side: performs each operation on both and compares the answers. Ids come from
 * the caller and are the same on both. Tokens and times are each store's own, so an operation names
 * a token by its row and by its age.
 */
import type { NewEvent } from '@posthorn/store/pipeline/accept-events'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import type { Pool } from '@posthorn/store/pool'
import { newId } from '@posthorn/domain/ids'
import type { SeededRandom } from './seeded-random.ts'

export interface ComparedStore {
  pool: Pool
  /** Ages every row as if `ms` had passed. */
  pass(ms: number): Promise<void>
  /** All rows that matter, written the same way by every store. */
  rows(): Promise<Record<string, unknown[]>>
}

export interface Side extends ComparedStore {
  /** Tokens by the id of their row in `due`, the newest last. */
  tokens: Map<string, number[]>
  epochs: Map<string, OwnedBacklog[]>
  parks: Map<string, number>
  /** The acceptance number of each event. */
  seqs: Map<string, number>
}

export interface Delivery {
  id: string
  eventId: string
  endpointId: string | null
  targetId: string
  lane: string | null
  priority: number
  /** How many attempts the operations have recorded. */
  attempts: number
}

export interface TestTenant {
  tenantId: string
  projectId: string
  /** An endpoint of the project that asks for operational events. */
  subscriberId: string
}

export interface Comparison extends TestTenant {
  random: SeededRandom
  sides: readonly Side[]
  endpoints: readonly string[]
  events: NewEvent[]
  /** The ids of events by type. */
  typed: string[]
  /** How often each event was edited. */
  edits: Map<string, number>
  deliveries: Delivery[]
  /** What differed. */
  different: string[]
}

export function createComparison(
  stores: readonly [ComparedStore, ComparedStore],
  tenant: TestTenant,
  random: SeededRandom,
): Comparison {
  const sides = stores.map(
    (store): Side => ({
      ...store,
      tokens: new Map(),
      epochs: new Map(),
      parks: new Map(),
      seqs: new Map(),
    }),
  )
  const endpoints = [newId(), newId()]
  const made = { events: [], typed: [], edits: new Map(), deliveries: [], different: [] }
  return { ...tenant, random, sides, endpoints, ...made }
}

/** Performs the operation on both stores and compares the answers. */
export async function both(
  run: Comparison,
  what: string,
  operation: (side: Side) => Promise<unknown>,
): Promise<[unknown, unknown]> {
  const { sides, different } = run
  const [a, b] = [await operation(sides[0] as Side), await operation(sides[1] as Side)]
  const [left, right] = [JSON.stringify(plain(a)), JSON.stringify(plain(b))]
  if (left !== right) different.push(`${what}: ${left} and ${right}`)
  return [a, b]
}

export function learn(side: Side, id: string, token: number | null | undefined): void {
  if (token === null || token === undefined) return
  side.tokens.set(id, [...(side.tokens.get(id) ?? []), token])
}

/** The newest token, or an older one, under which nothing may change. */
export function tokenOf(side: Side, id: string, age: number): number {
  return side.tokens.get(id)?.at(-1 - age) ?? 1
}

export function pickDeliveries(run: Comparison): { delivery: Delivery; age: number }[] {
  const { random, deliveries } = run
  const picked = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(deliveries)))
  return [...picked].map((delivery) => ({ delivery, age: random.happens(0.25) ? 1 : 0 }))
}

const OWN_TO_EACH_STORE = ['token', 'epoch', 'seq', 'createdAt', 'configVersion', 'nextInMs']

/** The value without each store's own tokens, numbers and times, and with lists in one order. */
export function plain(value: unknown): unknown {
  if (value instanceof Map)
    return [...value].map(([id, token]) => `${id} ${token === null ? 'null' : 'token'}`).sort()
  if (value instanceof Set) return [...value].sort()
  if (Array.isArray(value)) {
    const parts = value.map((one) => JSON.stringify(plain(one)))
    return parts.sort()
  }
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OWN_TO_EACH_STORE.includes(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, plain(one)]),
  )
}
