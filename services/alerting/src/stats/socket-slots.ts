/**
 * How many streams of stats a workspace has open, over all instances: each takes one of its
 * numbered slots, which is claimed in the state store for as long as the stream lasts. While the
 * store is away, or when it has lost what it held, each instance counts by itself.
 *
 * A slot whose stream has ended is kept by its instance for the next one until its claim ends; the
 * slots of an instance that was killed are free again after `ttlMs`.
 */
import type { StateStore } from '@posthorn/state/state-store'

export interface SocketSlotsConfig {
  perTenant: number
  ttlMs: number
}

export interface SocketSlotsDeps {
  state: Pick<StateStore, 'claim' | 'renew'>
  /** Monotonic ms. */
  nowMs(): number
}

export interface SocketSlots {
  /** null: the workspace has all that it may have. */
  take(tenantId: string): Promise<number | null>
  release(tenantId: string, slot: number): void
  /** Keeps what is taken; called several times within `ttlMs`. */
  renew(): Promise<void>
}

interface HeldSlots {
  taken: Set<number>
  /** Released, and claimed until then. */
  spare: Map<number, number>
}

/** A claim that ends while it is taken again would be somebody else's. */
const SPARE_MARGIN_MS = 1_000

export function createSocketSlots(
  { perTenant, ttlMs }: SocketSlotsConfig,
  { state, nowMs }: SocketSlotsDeps,
): SocketSlots {
  const tenants = new Map<string, HeldSlots>()
  const claimOf = (tenantId: string, slot: number) => ({
    key: `stats-stream:${tenantId}:${slot}`,
    ttlMs,
  })

  function takeSpare({ taken, spare }: HeldSlots): number | null {
    for (const [slot, until] of spare) {
      spare.delete(slot)
      if (until - SPARE_MARGIN_MS <= nowMs()) continue
      taken.add(slot)
      return slot
    }
    return null
  }

  return {
    async take(tenantId) {
      const held = tenants.get(tenantId) ?? { taken: new Set(), spare: new Map() }
      tenants.set(tenantId, held)
      const spare = takeSpare(held)
      if (spare !== null) return spare
      for (let slot = 0; slot < perTenant; slot += 1) {
        if (held.taken.has(slot)) continue
        held.taken.add(slot)
        const [isOurs] = await state.claim([claimOf(tenantId, slot)])
        // Unknown: nobody is refused for a store that is away.
        if (isOurs !== false) return slot
        held.taken.delete(slot)
      }
      if (held.taken.size === 0 && held.spare.size === 0) tenants.delete(tenantId)
      return null
    },
    release(tenantId, slot) {
      const held = tenants.get(tenantId)
      if (held?.taken.delete(slot)) held.spare.set(slot, nowMs() + ttlMs)
    },
    async renew() {
      const claims: ReturnType<typeof claimOf>[] = []
      for (const [tenantId, { taken, spare }] of tenants) {
        for (const slot of taken) claims.push(claimOf(tenantId, slot))
        for (const [slot, until] of spare) if (until <= nowMs()) spare.delete(slot)
        if (taken.size === 0 && spare.size === 0) tenants.delete(tenantId)
      }
      if (claims.length === 0) return
      // Those that the store has lost are claimed again.
      await state.claim(claims)
      await state.renew(claims)
    },
  }
}
